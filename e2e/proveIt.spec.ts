import type { Page } from '@playwright/test';
import { execFileSync } from 'node:child_process';
import { chmodSync, readdirSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { axe } from './fixtures/axe.ts';
import { choose, RUNS_ON, running } from './fixtures/presets.ts';
import { HELD } from './fixtures/states.ts';
import { expect, test } from './fixtures/test.ts';

const drawer = (page: Page) => page.locator('[data-region="drawer"]');
const rows = (page: Page) => drawer(page).locator('[data-probe]');
const row = (page: Page, subject: string) => drawer(page).locator(`[data-probe="${subject}"]`);
const status = (page: Page) => drawer(page).getByRole('status').first();
const prove = (page: Page) => page.locator('.head').getByRole('button', { name: 'Prove it' });

test('shows each claim next to what was seen in the sandbox of the Session, and leaves nothing behind', async ({
  ui,
  session,
  workspace,
  home,
}) => {
  execFileSync('git', ['init', '--quiet', workspace], { stdio: 'ignore' });
  await session({ script: HELD });
  await prove(ui).click();
  await expect(status(ui)).toHaveText(/^All \d+ tries came out as claimed\.$/);
  await expect(drawer(ui)).toContainText('Tried under Workspace write · confined by bubblewrap, fully');
  await expect(row(ui, 'workspace')).toContainText(/can be written.*was written/s);
  await expect(row(ui, 'workspace')).toContainText(workspace);
  await expect(row(ui, 'protected').first()).toContainText(/cannot be written.*was not let write EROFS/s);
  await expect(row(ui, 'temp')).toContainText(/private, can be written.*a private one was written/s);
  await expect(row(ui, 'home')).toContainText(homedir());
  await expect(row(ui, 'hidden').first()).toContainText(/is not seen.*was not seen/s);
  await expect(row(ui, 'hidden').filter({ hasText: home })).toHaveCount(1);
  await expect(row(ui, 'network')).toContainText(/cannot be reached.*was not reached/s);
  await expect(row(ui, 'unix-socket')).toContainText('as claimed');
  for (const each of await rows(ui).all()) await expect(each).toHaveAttribute('data-judged', 'same');
  expect(readdirSync(workspace)).toEqual(['.git']);
});

test('says of a claim that does not hold that it does not, and how many do not', async ({ ui, session, workspace }) => {
  // Nobody in a sandbox may write it, whoever they are on the host.
  chmodSync(workspace, 0o555);
  await session({ script: HELD });
  await prove(ui).click();
  await expect(status(ui)).toHaveText(/^1 of \d+ tries did not come out as claimed\.$/);
  await expect(row(ui, 'workspace')).toHaveAttribute('data-judged', 'differs');
  await expect(row(ui, 'workspace')).toContainText(/not as claimed.*can be written.*was not let write EACCES/s);
  await expect(row(ui, 'system')).toHaveAttribute('data-judged', 'same');
});

test('says when another Mode is in force than the one that was tried, and tries it again', async ({ ui, session }) => {
  const made = await session({ script: RUNS_ON, prompt: 'Go' });
  await running(made);
  await prove(ui).click();
  await expect(row(ui, 'workspace')).toContainText('was written');
  await choose(ui, 'Read only');
  await expect(drawer(ui)).toContainText('Read only is in force by now. Try again to see what holds.');
  await drawer(ui).getByRole('button', { name: 'Try again' }).click();
  await expect(row(ui, 'workspace')).toContainText(/cannot be written.*was not let write/s);
  await expect(drawer(ui)).toContainText('Tried under Read only');
  await expect(drawer(ui)).not.toContainText('in force by now');
});

test('says under full access that there is nothing to prove, and what was left out', async ({ ui, session }) => {
  await session({ script: HELD, preset: 'danger-full-access' });
  await prove(ui).click();
  await expect(drawer(ui)).toContainText('Nothing holds this Session back');
  await expect(row(ui, 'workspace')).toHaveAttribute('data-judged', 'same');
  await expect(row(ui, 'system')).toContainText(/can be written.*not tried/s);
  await expect(row(ui, 'system')).toContainText('left out');
});

test('says why nothing was tried, and shows nothing of an earlier try beside it', async ({
  ui,
  session,
  workspace,
}) => {
  await session({ script: HELD });
  await prove(ui).click();
  await expect(row(ui, 'workspace')).toBeVisible();
  rmSync(workspace, { recursive: true });
  await drawer(ui).getByRole('button', { name: 'Try again' }).click();
  await expect(status(ui)).toContainText(`Nothing was tried: The workspace folder is missing: ${workspace}`);
  await expect(rows(ui)).toHaveCount(0);
});

test('is found and used by keys alone', async ({ ui, session }) => {
  await session({ script: HELD });
  await ui.keyboard.press('Control+K');
  await ui.keyboard.type('prove the sandbox');
  await ui.keyboard.press('Enter');
  await expect(row(ui, 'workspace')).toBeVisible();
  const tab = drawer(ui).getByRole('tab', { name: 'Proof' });
  await expect(tab).toHaveAttribute('aria-selected', 'true');
  await tab.focus();
  await ui.keyboard.press('Tab');
  while ((await drawer(ui).getByRole('button', { name: 'Try again' }).and(ui.locator(':focus')).count()) === 0)
    await ui.keyboard.press('Tab');
  await ui.keyboard.press('Enter');
  await expect(status(ui)).toHaveText(/^All \d+ tries/);
});

for (const [size, viewport] of Object.entries({
  'at 900 × 600': { width: 900, height: 600 },
  'at twice the zoom': { width: 700, height: 450 },
}))
  test(`the button stays in reach ${size}, and so does what it opens`, async ({ ui, session }) => {
    await session({ script: HELD, title: 'A Session with quite a long title to show' });
    await ui.setViewportSize(viewport);
    await expect(prove(ui)).toBeInViewport({ ratio: 1 });
    await prove(ui).click();
    await expect(row(ui, 'workspace')).toBeInViewport();
    await drawer(ui).getByRole('button', { name: 'Close' }).click();
    await expect(drawer(ui)).toBeHidden();
  });

for (const theme of ['light', 'dark'])
  for (const language of ['en', 'zh'])
    test.describe(`${theme}, ${language}`, () => {
      test.use({ settings: { window: { welcomed: true, theme, language } } });

      test('axe finds nothing in the proof, whatever came of it', async ({ ui, session, workspace }) => {
        const again = drawer(ui).locator('.proof .button');
        await session({ script: HELD });
        await ui.locator('.head-tools button.chip').click();
        await expect(row(ui, 'workspace')).toHaveAttribute('data-judged', 'same');
        expect(await axe(ui)).toEqual([]);
        chmodSync(workspace, 0o555);
        await again.click();
        await expect(row(ui, 'workspace')).toHaveAttribute('data-judged', 'differs');
        expect(await axe(ui)).toEqual([]);
        rmSync(workspace, { recursive: true });
        await again.click();
        await expect(drawer(ui).locator('.proof-bad')).toContainText(workspace);
        expect(await axe(ui)).toEqual([]);
      });
    });
