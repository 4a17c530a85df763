import type { Page } from '@playwright/test';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { axe } from './fixtures/axe.ts';
import type { SessionOptions, TestSession } from './fixtures/session.ts';
import { expect, test } from './fixtures/test.ts';
import { LINES, Shown, STORY } from './fixtures/transcript.ts';

test.describe.configure({ timeout: 60_000 });
// So high that every row is drawn.
test.use({ viewport: { width: 1200, height: 2400 } });

interface Places {
  readonly session: (options: SessionOptions) => Promise<TestSession>;
  readonly workspace: string;
}

/** Everything of it has happened. */
async function told({ session, workspace }: Places): Promise<TestSession> {
  writeFileSync(join(workspace, 'a.txt'), 'first\nsecond\nthird\n');
  const made = await session({ title: 'Story', script: STORY, prompt: 'Look for the needle' });
  expect((await made.until('turn/end')).data.reason).toBe('completed');
  return made;
}

test('a card is closed until it is opened; a program shows its calls, and each of them what came of it', async ({
  ui,
  session,
  workspace,
}) => {
  await told({ session, workspace });
  const shown = new Shown(ui);
  await expect(shown.root.locator('.t-card-head[aria-expanded="false"]')).toHaveCount(4);
  await shown.head('look').click();
  const nested = shown.card('look').locator('.t-nested > li');
  await expect(nested).toHaveText([/^Read.*a\.txt.*ok/, /^Command.*echo.*ok/]);
  await nested.nth(0).getByRole('button').first().click();
  await expect(nested.nth(0)).toContainText('third');
  await nested.nth(1).getByRole('button').first().click();
  await expect(nested.nth(1).getByRole('group', { name: 'Output', exact: true }).first()).toContainText('inner 42');
  await expect(shown.part('look', 'Value')).toContainText('7');
  await shown.head('look').click();
  await expect(nested).toHaveCount(0);
});

test('the card of a changed file shows the difference', async ({ ui, session, workspace }) => {
  await told({ session, workspace });
  const shown = new Shown(ui);
  await shown.head('edit').click();
  const change = shown.part('edit', 'Change');
  await expect(change.getByText('-second')).toBeVisible();
  await expect(change.getByText('+another')).toBeVisible();
});

test('of a long output the end is shown, and page by page everything before it', async ({ ui, session, workspace }) => {
  const made = await told({ session, workspace });
  const stored = (await made.eventsOf('tool/result')).find(({ data: { callId } }) => callId === 'long')?.data.facts;
  expect(stored?.output.blob, 'it is kept beside the log').toBeDefined();
  const shown = new Shown(ui);
  await shown.head('long').click();
  const output = shown.part('long', 'Output').locator('pre');
  await expect(output).toContainText(String(LINES));
  expect((await output.innerText()).length).toBeLessThan(10 * 1024);
  const more = shown.card('long').getByRole('button', { name: 'Show more' });
  for (const page of [1, 2, 3]) {
    const before = (await output.innerText()).length;
    await more.click();
    await expect
      .poll(async () => (await output.innerText()).length, { message: `page ${page}` })
      .toBeGreaterThan(before);
  }
  await expect(more).toBeHidden();
  const lines = (await output.innerText()).split('\n').filter((line) => /^\d+$/.test(line));
  expect(lines).toEqual(Array.from({ length: LINES }, (_, at) => String(at + 1)));
});

test('`r` shows the events of a row as the log has them, and hides them again', async ({ ui, session, workspace }) => {
  const made = await told({ session, workspace });
  const shown = new Shown(ui);
  await shown.head('edit').focus();
  await ui.keyboard.press('r');
  const raw = shown.root.locator('.t-raw');
  const asked = (await made.eventsOf('tool/call')).find(({ data: { callId } }) => callId === 'edit');
  await expect(raw.locator('pre')).toContainText(JSON.stringify(asked, null, 2));
  await ui.keyboard.press('r');
  await expect(raw).toHaveCount(0);
});

test('`c` copies the events of the turn as a bug report', async ({ ui, session, workspace }) => {
  const made = await told({ session, workspace });
  const shown = new Shown(ui);
  await shown.head('edit').focus();
  await ui.keyboard.press('c');
  const said = shown.root.locator('.transcript-said');
  await expect(said).toHaveText(/^Copied \d+ events of this turn as a bug report\.$/);
  const report: unknown = JSON.parse(await pasted(ui));
  expect(report).toMatchObject({ report: 'gatehouse', sessionId: made.id, leftOut: 0 });
  const { events } = report as { readonly events: readonly unknown[] }; // it has just been looked at
  await expect(said).toHaveText(`Copied ${events.length} events of this turn as a bug report.`);
  expect(await made.events()).toEqual(expect.arrayContaining([...events]));
  expect(events.at(-1)).toEqual(await made.until('turn/end'));
});

test('find counts, goes from the newest backwards, opens the card that says it, and leaves with Esc', async ({
  ui,
  session,
  workspace,
}) => {
  await told({ session, workspace });
  const shown = new Shown(ui);
  const bar = await shown.find('NEEDLE');
  const count = bar.getByRole('status');
  await expect(count).toHaveText('0 of 3');
  await ui.keyboard.press('Enter');
  await expect(count).toHaveText('3 of 3');
  await expect(shown.head('long')).toHaveAttribute('aria-expanded', 'false');
  await bar.getByRole('button', { name: 'Previous' }).click();
  await expect(count).toHaveText('2 of 3');
  await bar.getByRole('button', { name: 'Next' }).click();
  await bar.getByRole('button', { name: 'Next' }).click();
  await expect(count, 'and round').toHaveText('1 of 3');
  await bar.getByRole('textbox').fill('inner 42');
  await expect(count).toHaveText('0 of 1');
  await ui.keyboard.press('Enter');
  await expect(shown.head('look')).toHaveAttribute('aria-expanded', 'true');
  await bar.getByRole('textbox').fill('nobody says this');
  await expect(count).toHaveText('No matches');
  await ui.keyboard.press('Escape');
  await expect(bar).toHaveCount(0);
  await expect(shown.scroller).toBeFocused();
});

test('what the agent wrote becomes no element, no script and no request', async ({ ui, session, workspace }) => {
  const requests: string[] = [];
  ui.on('request', (request) => requests.push(request.url()));
  await told({ session, workspace });
  const { root } = new Shown(ui);
  await expect(root.locator('.markdown', { hasText: 'That was all.' })).toBeVisible();
  for (const text of ['<img src="https://remote.invalid/raw.png"', '<script>', '⟨javascript:document.title=1⟩'])
    await expect(root).toContainText(text);
  await expect(root).toContainText('[image: a picture] https://remote.invalid/drawn.png');
  await expect(root.locator('img, script, iframe, object, a, [onerror], [src], [href]')).toHaveCount(0);
  // A link can be opened, but for one that is none.
  await expect(root.getByRole('button', { name: 'Open https://remote.invalid/page' })).toBeVisible();
  await expect(root.getByRole('button', { name: /^Open javascript/ })).toHaveCount(0);
  await expect(ui).toHaveTitle(/Story/);
  expect(requests.filter((url) => url.includes('remote.invalid'))).toEqual([]);
});

for (const [theme, language] of [
  ['light', 'en'],
  ['dark', 'zh'],
])
  test.describe(`${theme}, ${language}`, () => {
    test.use({ settings: { window: { welcomed: true, theme, language } } });

    test('axe finds nothing with cards, raw events, find bar and the menu of a row open', async ({
      ui,
      session,
      workspace,
    }) => {
      await told({ session, workspace });
      const shown = new Shown(ui);
      for (const call of ['look', 'edit', 'long']) await shown.head(call).click();
      for (const nested of await shown.root.locator('.t-nested-head').all()) await nested.click();
      await shown.head('read').focus();
      await ui.keyboard.press('r');
      await expect(shown.root.locator('.t-raw pre')).toBeVisible();
      await shown.find('needle');
      await ui.keyboard.press('Enter');
      expect(await axe(ui)).toEqual([]);
      await shown.root.locator('.t-row-menu').last().click();
      await expect(ui.getByRole('menuitem')).toHaveCount(2);
      expect(await axe(ui)).toEqual([]);
    });
  });

/** What is on the clipboard: as a person sees it, by pasting. */
async function pasted(ui: Page): Promise<string> {
  const composer = ui.locator('#composer');
  await composer.focus();
  await ui.keyboard.press('Control+v');
  await expect(composer).not.toHaveValue('');
  return composer.inputValue();
}
