import type { Page } from '@playwright/test';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { onePending, Question } from './fixtures/approval.ts';
import { axe } from './fixtures/axe.ts';
import { choose } from './fixtures/presets.ts';
import type { Answer } from './fixtures/session.ts';
import { expect, test } from './fixtures/test.ts';

const transcript = (page: Page) => page.locator('[data-region="transcript"]');
const card = (page: Page) => transcript(page).locator('[data-call="c1"]');
const rowOfHook = (page: Page) => transcript(page).locator('[data-fact="hook"]');

const window = { welcomed: true };
const before = (command: string) => ({ PreToolUse: [{ matcher: 'Bash', hooks: [{ type: 'command', command }] }] });
const answers = (answer: object): string => `printf '%s' '${JSON.stringify(answer)}'`;
const TOUCHES: readonly Answer[] = [
  { calls: [{ id: 'c1', tool: 'bash', input: { command: 'touch made' } }] },
  { text: 'Done.' },
];

test.describe('with a hook that denies', () => {
  // What would turn the line around is drawn as an escape.
  test.use({ settings: { window, hooks: before(`printf 'No \\342\\200\\256 touching.' >&2; exit 2`) } });

  test('nothing runs, and both the row of the hook and the card of the call say why', async ({ ui, session }) => {
    const made = await session({ script: TOUCHES, prompt: 'Go' });
    await made.until('turn/end');
    const { seq } = await made.until('hook/ran');
    await expect(rowOfHook(ui)).toContainText('(before a call), Command “touch made”: denied. Reason: “No ');
    await expect(rowOfHook(ui).locator('.unseen')).toHaveCount(1);
    await expect(transcript(ui).locator(`[data-seq="${seq}"]`)).toContainText('denied');
    await expect(card(ui)).toContainText('denied by a hook');
    await card(ui).locator('.t-card-head').click();
    await expect(card(ui)).toContainText(/No .*touching\./);
    expect(existsSync(join(made.workspace, 'made'))).toBe(false);
  });
});

test.describe('with a hook that asks', () => {
  test.use({ settings: { window, hooks: before(answers({ decision: 'ask', reason: 'Sure?' })) } });

  test('a person answers for exactly this call, which says whom it waits for', async ({ ui, session, door }) => {
    const made = await session({ script: TOUCHES, prompt: 'Go' });
    const { approvalId } = await onePending(door);
    const question = new Question(ui, approvalId);
    await expect(question.root).toContainText('A hook asks about this call.');
    await expect(question.root).toContainText('A hook says: Sure?');
    await expect(card(ui)).toContainText('waits for you');
    await expect(rowOfHook(ui)).toContainText('asks a person. Reason: “Sure?”');
    expect(existsSync(join(made.workspace, 'made'))).toBe(false);
    await question.untilArmed();
    await question.allow.click();
    await made.until('turn/end');
    await expect(card(ui)).toContainText('ok');
    expect(existsSync(join(made.workspace, 'made'))).toBe(true);
  });
});

test.describe('with a hook that takes its time', () => {
  test.use({ settings: { window, hooks: before('[ -e asked ] && exit 0; touch asked; sleep 1000') } });

  test('a switch ends it as a Cleanup that names it, and the call goes on under the new Mode', async ({
    ui,
    session,
  }) => {
    const made = await session({ script: TOUCHES, prompt: 'Go' });
    await expect.poll(() => existsSync(join(made.workspace, 'asked'))).toBe(true);
    await ui.locator('#preset-select[role="combobox"]').click();
    await expect(ui.locator('.preset-foresight')).toBeVisible();
    await ui.keyboard.press('Escape');
    await choose(ui, 'Read only');
    await ui.keyboard.press('Control+Shift+L');
    const row = ui.locator('[data-region="drawer"] [data-cleanup]').first();
    await expect(row).toContainText('PreToolUse: [ -e asked ]');
    await expect(row).toContainText('hook');
    await expect(row).toHaveAttribute('data-phase', 'released');
    await expect(transcript(ui)).toContainText(/Ending hook, Command “touch made” \(pid \d+\): the Mode changed\./);
    await expect(rowOfHook(ui).first()).toContainText('no answer');
    await made.until('turn/end');
    await expect(rowOfHook(ui).last()).toContainText('decided nothing');
    await expect(card(ui)).toContainText('exit 1');
  });
});

test('hooks of the project are off until a person switches them on for that workspace', async ({
  ui,
  session,
  workspace,
}) => {
  mkdirSync(join(workspace, '.claude'));
  writeFileSync(
    join(workspace, '.claude', 'settings.json'),
    JSON.stringify({ hooks: before('echo off limits >&2; exit 2') }),
  );
  const made = await session({ script: [...TOUCHES, ...TOUCHES], prompt: 'Go' });
  await made.until('turn/end');
  await expect(card(ui)).toContainText('ok');
  const notice = ui.locator('.notice', { hasText: 'They are off.' });
  await notice.getByRole('button', { name: 'Setting of this workspace…' }).click();
  const row = ui.locator(`[data-workspace="${workspace}"]`);
  await row.getByText('On', { exact: true }).click();
  await expect(row.getByRole('radio', { name: 'On' })).toBeChecked();
  await made.open(ui);
  await made.prompt('Again');
  await made.until('turn/end', 2);
  await expect(rowOfHook(ui)).toContainText('denied. Reason: “off limits”');
});

for (const theme of ['light', 'dark'] as const) {
  for (const language of ['en', 'zh'] as const) {
    test.describe(`${theme}, ${language}`, () => {
      const hooks = before('echo no >&2; exit 2');
      test.use({ settings: { window: { ...window, theme, language }, hooks } });

      test('axe finds nothing where a hook has denied', async ({ ui, session }) => {
        const made = await session({ script: TOUCHES, prompt: 'Go' });
        await made.until('turn/end');
        await expect(rowOfHook(ui)).toBeVisible();
        await card(ui).locator('.t-card-head').click();
        expect(await axe(ui)).toEqual([]);
      });
    });
  }
}
