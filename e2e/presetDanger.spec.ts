import type { Page } from '@playwright/test';
import {
  armed,
  choose,
  confirm,
  danger,
  nextSeq,
  NOTHING_TO_DO,
  option,
  running,
  RUNS_ON,
  selector,
} from './fixtures/presets.ts';
import { expect, test } from './fixtures/test.ts';

test('full access is asked about: what changes, what stops, for this Session only, with the focus on Cancel', async ({
  ui,
  session,
}) => {
  const pid = await running(await session({ script: RUNS_ON, prompt: 'Go' }));
  await choose(ui, 'Full access');
  await expect(danger(ui)).toContainText('Switch this Session to Full access?');
  await expect(danger(ui).getByRole('button', { name: 'Cancel' })).toBeFocused();
  await expect(danger(ui)).toContainText('Mode: Workspace write → Full access.');
  await expect(danger(ui)).toContainText('Approval policy: Asks → Never asks.');
  await expect(danger(ui)).toContainText(`Environment · pid ${pid}`);
  await expect(danger(ui)).toContainText('This applies to this Session only.');
});

test('full access is switched to by a press after a tick, and is seen in header and title', async ({ ui, session }) => {
  const made = await session({ script: NOTHING_TO_DO });
  await choose(ui, 'Full access');
  await expect(confirm(ui)).toHaveAttribute('aria-disabled', 'true');
  await confirm(ui).click({ force: true });
  await expect(armed(ui)).toBeVisible();
  expect((await made.eventsOf('permission/preset')).length).toBe(1);
  await confirm(ui).click();
  await expect(selector(ui)).toHaveText('Full access');
  await expect(selector(ui)).toHaveClass(/is-danger/);
  await expect(ui).toHaveTitle(/Full access/);
  await expect(danger(ui)).toBeHidden();
  await expect(selector(ui)).toBeFocused();
});

test('full access is not switched to by the Enter that chose it and is still held', async ({ ui, session, door }) => {
  const made = await session({ script: NOTHING_TO_DO });
  const next = await nextSeq(made);
  await selector(ui).press('ArrowDown');
  await expect(option(ui, 'Workspace write')).toBeFocused();
  await ui.keyboard.press('ArrowDown');
  await expect(option(ui, 'Full access')).toBeFocused();
  await ui.keyboard.down('Enter');
  await expect(armed(ui)).toBeVisible();
  for (let held = 0; held < 20; held += 1) await ui.keyboard.down('Enter');
  await confirm(ui).focus();
  for (let held = 0; held < 20; held += 1) await ui.keyboard.down('Enter');
  await ui.keyboard.up('Enter');
  await expect(danger(ui)).toBeVisible();
  const { seq } = await door.request('approvalPolicy.set', { sessionId: made.id, policy: 'never' });
  expect(seq).toBe(next);
});

test('full access is known by its Mode and not by its name', async ({ ui, session, door }) => {
  const { revision } = await door.request('settings.get', {});
  const calm = { sandbox: 'danger-full-access', approval: 'ask', label: 'Calm', description: 'Nothing to see.' };
  await door.request('settings.set', { revision, changes: { presets: { calm } } });
  await session({ script: NOTHING_TO_DO });
  await choose(ui, 'Calm');
  await armed(ui).click();
  await expect(selector(ui)).toHaveText('Calm');
  await expect(ui.locator('.head .chip.danger')).toHaveText('Full access');
  await expect(ui).toHaveTitle(/Full access/);
});

const DISMISSALS: Readonly<Record<string, (page: Page) => Promise<void>>> = {
  Escape: (page) => page.keyboard.press('Escape'),
  Cancel: (page) => danger(page).getByRole('button', { name: 'Cancel' }).click(),
  'a click beside it, then Escape': async (page) => {
    await page.mouse.click(10, 10);
    await page.keyboard.press('Escape');
  },
  'loading the window anew': async (page) => {
    await page.reload();
    await expect(selector(page)).toBeVisible();
  },
};
for (const [way, dismiss] of Object.entries(DISMISSALS)) {
  test(`PRE-10: full access dismissed by ${way} changes nothing`, async ({ ui, session, door }) => {
    const made = await session({ script: NOTHING_TO_DO });
    const next = await nextSeq(made);
    await choose(ui, 'Full access');
    await expect(armed(ui)).toBeVisible();
    await dismiss(ui);
    await expect(danger(ui)).toBeHidden();
    await expect(selector(ui)).toHaveText('Workspace write');
    const { seq } = await door.request('preset.set', { sessionId: made.id, preset: 'read-only' });
    expect(seq).toBe(next);
  });
}

test('PRE-10: full access left open in a window that is closed changes nothing', async ({
  ui,
  openWindow,
  session,
  door,
}) => {
  const made = await session({ script: NOTHING_TO_DO });
  const next = await nextSeq(made);
  const other = await openWindow();
  await made.open(other);
  await choose(other, 'Full access');
  await expect(armed(other)).toBeVisible();
  await other.close();
  const { seq } = await door.request('preset.set', { sessionId: made.id, preset: 'read-only' });
  expect(seq).toBe(next);
  await expect(selector(ui)).toHaveText('Read only');
});
