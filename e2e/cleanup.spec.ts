import type { Page } from '@playwright/test';
import { axe } from './fixtures/axe.ts';
import { choose, RUNS_DEAF, RUNS_ON, running, untilDeaf } from './fixtures/presets.ts';
import { isAlive } from './fixtures/processes.ts';
import { ASKS } from './fixtures/states.ts';
import { expect, test } from './fixtures/test.ts';

const drawer = (page: Page) => page.locator('[data-region="drawer"]');
const rows = (page: Page) => drawer(page).locator('[data-cleanup]');

test('a row says what is ended, since when, why and how far it is, and is released when nothing of it lives', async ({
  ui,
  session,
}) => {
  const made = await session({ script: RUNS_ON, prompt: 'Go' });
  const pid = await running(made);
  await ui.keyboard.press('Control+Shift+L');
  await expect(drawer(ui)).toContainText('Nothing is being cleaned up.');
  await choose(ui, 'Read only');
  await expect(rows(ui)).toHaveAttribute('data-phase', 'released');
  expect(isAlive(pid)).toBe(false);
  const { data } = await made.until('cleanup/asked');
  const row = rows(ui);
  await expect(row).toContainText(`Environment ${data.id.slice(0, 8)}`);
  await expect(row).toContainText(`pid ${pid}`);
  await expect(row).toContainText('started under Workspace write');
  await expect(row).toContainText('released');
  await expect(row).toContainText('attempt 1');
  await expect(row.getByRole('img', { name: 'Step 5 of 5' })).toBeVisible();
  await row.getByRole('button', { name: `the Mode changed: event ${data.cause.seq}` }).click();
  await expect(ui.locator('[data-region="transcript"] :focus')).toBeVisible();
});

test('an ending that takes its time says how far it is and for how long, and a command by its text', async ({
  ui,
  session,
}) => {
  const made = await session({ script: RUNS_DEAF, prompt: 'Go' });
  await untilDeaf(made);
  await ui.keyboard.press('Control+Shift+L');
  await choose(ui, 'Read only');
  const row = rows(ui);
  await expect(row).toHaveAttribute('data-phase', /asked|terminating|killing/);
  await expect(row).toContainText('trap "" TERM');
  await expect(row).toContainText('command');
  await expect(row).toContainText(/\d\.\d s · attempt 1/);
  await expect(row).toHaveAttribute('data-phase', 'released', { timeout: 15_000 });
  await expect(row).not.toContainText(/\d\.\d s/);
});

test('the place of all endings names each Session and leads to it', async ({ ui, session }) => {
  const first = await session({ script: RUNS_ON, prompt: 'Go', title: 'First' });
  await running(first);
  await choose(ui, 'Read only');
  await first.until('cleanup/ended');
  const second = await session({ script: RUNS_ON, prompt: 'Go', title: 'Second' });
  await running(second);
  await choose(ui, 'Read only');
  await second.until('cleanup/ended');
  await ui.locator('.side').getByRole('button', { name: 'Cleanup' }).click();
  const list = ui.getByRole('list', { name: 'Cleanup' }).getByRole('listitem');
  await expect(list).toContainText(['Second', 'First']);
  await list.last().getByRole('button', { name: 'First' }).click();
  await expect(ui.getByRole('heading', { level: 1 })).toHaveText('First');
});

test('the drawer lists the Environments with what they keep, and Reset takes it away', async ({ ui, session }) => {
  const made = await session({
    script: [
      { calls: [{ id: 'c1', tool: 'run_code', input: { title: 'keep', code: 'let kept = 1; let more = 2' } }] },
      { text: 'Kept.' },
      { calls: [{ id: 'c2', tool: 'run_code', input: { title: 'look', code: 'let another = 3; typeof kept' } }] },
      { text: 'Done.' },
    ],
    prompt: 'Go',
  });
  await made.until('turn/end');
  await ui.locator('.head').getByRole('button', { name: '1 Environment' }).click();
  const row = drawer(ui).locator('[data-environment]');
  const { data } = await made.until('environment/started');
  await expect(row).toContainText(`pid ${data.pid}`);
  await expect(row).toContainText('kept, more');
  await expect(row).toContainText('idle');
  await drawer(ui).getByRole('button', { name: 'Reset' }).click();
  await expect(row).toHaveCount(0);
  await expect(drawer(ui)).toContainText('No Environment of this Session is running.');
  expect(isAlive(data.pid)).toBe(false);

  await made.prompt('Again');
  await made.until('turn/end', 2);
  await expect(row).toContainText('another');
  await expect(row).not.toContainText('kept, more');
});

for (const [size, viewport] of Object.entries({
  'at 900 × 600': { width: 900, height: 600 },
  'at twice the zoom': { width: 700, height: 450 },
}))
  test(`the drawer keeps question and composer in reach ${size}`, async ({ ui, session }) => {
    const made = await session({ script: ASKS, prompt: 'Go' });
    await made.until('approval/asked');
    await ui.setViewportSize(viewport);
    await ui.keyboard.press('Control+Shift+L');
    await expect(drawer(ui)).toBeInViewport({ ratio: 1 });
    await drawer(ui).getByRole('button', { name: 'Close' }).click();
    await expect(drawer(ui)).toBeHidden();
    await expect(ui.locator('#composer')).toBeInViewport({ ratio: 1 });
    await expect(ui.getByRole('button', { name: 'Allow once' })).toBeInViewport({ ratio: 1 });
  });

for (const theme of ['light', 'dark'])
  for (const language of ['en', 'zh'])
    test.describe(`${theme}, ${language}`, () => {
      test.use({ settings: { window: { welcomed: true, theme, language } } });

      test('axe finds nothing in the drawer and the place of all endings', async ({ ui, session }) => {
        const made = await session({ script: RUNS_ON, prompt: 'Go' });
        await running(made);
        await ui.keyboard.press('Control+Shift+E');
        await expect(drawer(ui).locator('[data-environment]')).toBeVisible();
        expect(await axe(ui)).toEqual([]);
        await ui.keyboard.press('Control+Shift+L');
        await ui.locator('#preset-select[role="combobox"]').click();
        await ui.getByRole('option').first().click();
        await expect(rows(ui)).toHaveAttribute('data-phase', 'released');
        expect(await axe(ui)).toEqual([]);
        await ui.locator('.places .place').last().click();
        await expect(ui.locator('.page .cleanup')).toBeVisible();
        expect(await axe(ui)).toEqual([]);
      });
    });
