import type { Page } from '@playwright/test';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { axe } from './fixtures/axe.ts';
import { choose, confirm, option, selector } from './fixtures/presets.ts';
import { isAlive } from './fixtures/processes.ts';
import type { Answer } from './fixtures/session.ts';
import { expect, test } from './fixtures/test.ts';

const drawer = (page: Page) => page.locator('[data-region="drawer"]');
const rows = (page: Page) => drawer(page).locator('[data-job-row]');
const card = (page: Page, callId = 'c1') => page.locator(`[data-region="transcript"] [data-call="${callId}"]`);
const transcript = (page: Page) => page.locator('[data-region="transcript"]');

/** Says again and again that it is there: what it said before the window showed its Session is not told to that window. */
const SERVE = 'while :; do echo listening; sleep 0.1; done';
const starts = (command: string, title = 'Dev server'): readonly Answer[] => [
  { calls: [{ id: 'c1', tool: 'job_start', input: { title, command } }] },
  { text: 'It runs beside me.' },
  { text: 'Still here.' },
];

test('a job runs on after its turn, is listed with its process, and ends when a person stops it', async ({
  ui,
  session,
}) => {
  const made = await session({ script: starts(SERVE), prompt: 'Go' });
  const { data, seq } = await made.until('job/started');
  const pid = Number(data.pid);
  await made.until('turn/end');
  await expect(transcript(ui)).toContainText(`Started job “Dev server”, pid ${pid}.`);
  await expect(card(ui)).toHaveAttribute('data-job', 'running');
  await expect(card(ui)).toContainText('running');
  await expect(card(ui)).toContainText('listening');

  await ui.locator('.head').getByRole('button', { name: '1 job' }).click();
  await expect(rows(ui)).toHaveAttribute('data-state', 'running');
  await expect(rows(ui)).toContainText('Dev server');
  await expect(rows(ui)).toContainText(
    new RegExp(`pid ${pid}, started \\d\\d:\\d\\d:\\d\\d · started under Workspace write`),
  );
  expect(isAlive(pid)).toBe(true);

  await rows(ui).getByRole('button', { name: 'Stop Dev server' }).click();
  await expect(rows(ui)).toHaveAttribute('data-state', 'ended');
  await expect(rows(ui)).toContainText('stopped');
  await expect(rows(ui).getByRole('button', { name: /^Stop/ })).toHaveCount(0);
  expect(isAlive(pid)).toBe(false);
  await expect(ui.locator('.head').getByRole('button', { name: /job/ })).toHaveCount(0);
  await expect(card(ui)).toHaveAttribute('data-job', 'ended');
  await expect(card(ui)).toContainText('stopped');
  await expect(transcript(ui)).toContainText('Over: job “Dev server”, stopped.');

  await rows(ui)
    .getByRole('button', { name: `event ${seq}` })
    .click();
  await expect(transcript(ui).locator(`[data-seq="${seq}"]:focus-within, [data-seq="${seq}"]:focus`)).toBeVisible();
});

test('a switch says beforehand which job it ends, and the ending is a Cleanup of that job', async ({ ui, session }) => {
  const made = await session({ script: starts(`trap "" TERM; ${SERVE}`), prompt: 'Go' });
  const pid = Number((await made.until('job/started')).data.pid);
  await made.until('turn/end');
  await expect(card(ui)).toContainText('listening');

  await selector(ui).click();
  await option(ui, 'Full access').click();
  await expect(confirm(ui)).toBeVisible();
  await expect(ui.locator('.consequence-stops')).toContainText(`job · pid ${pid} · Dev server`);
  await ui.keyboard.press('Escape');

  await choose(ui, 'Read only');
  await ui.keyboard.press('Control+Shift+L');
  const row = drawer(ui).locator('[data-cleanup]');
  await expect(row).toContainText('Dev server');
  await expect(row).toContainText('job');
  await expect(row).toContainText(`pid ${pid}`);
  await expect(row).toContainText('started under Workspace write');
  await expect(row).toHaveAttribute('data-phase', 'released');
  expect(isAlive(pid)).toBe(false);
  await expect(card(ui)).toContainText('Mode changed');
  await expect(transcript(ui)).toContainText(`Ending job “Dev server” (pid ${pid}): the Mode changed.`);
  await expect(transcript(ui)).toContainText('Over: job “Dev server”, Mode changed.');
  await drawer(ui).getByRole('tab', { name: 'Jobs' }).click();
  await expect(rows(ui)).toContainText('Mode changed');
});

test('a job that ends by itself says how, and its list is still there after the window has loaded anew', async ({
  ui,
  session,
}) => {
  const made = await session({
    script: starts('while [ ! -e go ]; do sleep 0.1; done; exit 3', 'Tests'),
    prompt: 'Go',
  });
  await made.until('turn/end');
  await ui.reload();
  await ui.locator('.head').getByRole('button', { name: '1 job' }).click();
  await expect(rows(ui)).toHaveAttribute('data-state', 'running');
  await made.prompt('Look');
  await made.until('turn/end', 2);
  await expect(rows(ui)).toHaveAttribute('data-state', 'running');
  writeFileSync(join(made.workspace, 'go'), '');
  await expect(rows(ui)).toHaveAttribute('data-state', 'ended');
  await expect(rows(ui)).toContainText('exit 3');
  await expect(card(ui)).toContainText('exit 3');
  await ui.reload();
  await expect(card(ui)).toContainText('exit 3');
  await ui.keyboard.press('Control+Shift+L');
  await drawer(ui).getByRole('tab', { name: 'Jobs' }).click();
  await expect(rows(ui)).toContainText('exit 3');
});

test('all that a job has printed is read page by page, from its beginning, also after the window has loaded anew', async ({
  ui,
  session,
}) => {
  const prints = 'for i in $(seq 12000); do echo "line $i"; done; while [ ! -e go ]; do sleep 0.1; done; echo last';
  const made = await session({ script: starts(prints), prompt: 'Go' });
  await made.until('turn/end');
  await ui.reload();
  await card(ui).locator('.t-card-head').click();
  const all = card(ui).getByRole('group', { name: 'Output from its beginning' }).first();
  await all.getByRole('button', { name: 'Read it from its beginning' }).click();
  await expect(all).toContainText('line 1');
  await expect(all).not.toContainText('line 12000');
  await all.getByRole('button', { name: 'Read on' }).click();
  await expect(all).toContainText('line 12000');
  writeFileSync(join(made.workspace, 'go'), '');
  await expect(all).toContainText('last');
  await expect(all.getByRole('button')).toHaveCount(0);
});

test('a program starts one as well, asks of it by its id, and the cards say which one it is', async ({
  ui,
  session,
}) => {
  const code = `const { jobId } = await tools.job_start({ title: 'Dev server', command: ${JSON.stringify(SERVE)} });
    const { jobs } = await tools.job_list({});
    await tools.job_kill({ jobId });
    return jobs.length`;
  const made = await session({
    script: [{ calls: [{ id: 'c1', tool: 'run_code', input: { title: 'Try it', code } }] }, { text: 'Done.' }],
    prompt: 'Go',
  });
  await made.until('turn/end');
  await card(ui).locator('.t-card-head').click();
  const nested = card(ui).locator('.t-nested > li');
  await expect(nested).toHaveCount(3);
  await expect(nested.nth(0)).toContainText(/Job\s*Dev server/);
  await expect(nested.nth(0)).toContainText('stopped');
  await expect(nested.nth(1)).toContainText('1 job');
  await expect(nested.nth(2)).toContainText(/End job\s*Dev server/);
});

for (const theme of ['light', 'dark'] as const) {
  for (const language of ['en', 'zh'] as const) {
    test.describe(`${theme}, ${language}`, () => {
      test.use({ settings: { window: { welcomed: true, theme, language } } });

      test('axe finds nothing in the list of jobs and in a card of one', async ({ ui, session }) => {
        const made = await session({ script: starts(SERVE), prompt: 'Go' });
        await made.until('turn/end');
        await expect(card(ui)).toContainText('listening');
        await card(ui).locator('.t-card-head').click();
        await ui.locator('[data-chip="jobs"]').click();
        await expect(rows(ui)).toHaveAttribute('data-state', 'running');
        expect(await axe(ui)).toEqual([]);
        await rows(ui).locator('.button').click();
        await expect(rows(ui)).toHaveAttribute('data-state', 'ended');
        expect(await axe(ui)).toEqual([]);
      });
    });
  }
}
