import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { ROOT } from './fixtures/place.ts';
import { RUNS_DEAF, selector, untilDeaf } from './fixtures/presets.ts';
import { ASKS, HELD } from './fixtures/states.ts';
import { expect, test } from './fixtures/test.ts';

test('says what the Session is, who works in it and where', async ({ ui, session, workspace }) => {
  await session({ script: HELD, title: 'Split the tokenizer' });
  await expect(ui.getByRole('heading', { level: 1 })).toHaveText('Split the tokenizer');
  await expect(ui.locator('.head-origins')).toHaveText(/^script \d+\.json/);
  await expect(ui.locator('.head-origins .path')).toHaveText(workspace);
});

test('Stop says "Stopping…" in every window until the log says that the turn has ended', async ({
  ui,
  openWindow,
  session,
}) => {
  const made = await session({ script: RUNS_DEAF, prompt: 'Go' });
  await untilDeaf(made);
  const other = await openWindow();
  await made.open(other);
  await ui.getByRole('button', { name: 'Stop', exact: true }).click();
  for (const page of [other, ui]) {
    await expect(page.getByRole('button', { name: 'Stopping…' })).toHaveAttribute('aria-disabled', 'true');
    await expect(page.locator('.turn-line')).toContainText('stopping');
  }
  expect(await made.eventsOf('turn/end')).toEqual([]);
  await made.until('turn/end');
  await expect(ui.getByRole('button', { name: /^Stop/ })).toBeHidden();
  await expect(ui.locator('.turn-line')).toContainText('idle');
});

test('a Session that another process has open can be read, says by whom, and is written to once it is free', async ({
  app,
  ui,
  own,
  workspace,
}) => {
  const control = spawn(process.execPath, [join(ROOT, 'out', 'main', 'cli.cjs'), 'control'], {
    env: { ...process.env, GATEHOUSE_HOME: app.home },
    detached: true,
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  own(control);
  const input = { workspace, title: 'Elsewhere' };
  control.stdin.write(`${JSON.stringify({ id: 1, request: 'session.create', input })}\n`);
  const sessionId = await replyOf(control.stdout);
  await ui.evaluate((id) => {
    location.hash = `#/session/${id}`;
    location.reload();
  }, sessionId);
  const bar = ui.locator('[data-read-only="open-elsewhere"]');
  await expect(bar).toContainText('this Session is open elsewhere, by');
  await expect(ui.locator('#composer')).toBeDisabled();
  await expect(selector(ui)).toBeDisabled();

  control.stdin.end();
  await once(control, 'exit');
  await bar.getByRole('button', { name: 'Try again' }).click();
  await expect(bar).toBeHidden();
  await expect(ui.locator('#composer')).toBeEnabled();
});

test('a damaged Session says where, and what a person can do', async ({ app, session }) => {
  const made = await session({ script: HELD, title: 'Broken' });
  await app.stop();
  const [file = ''] = globSync(join(app.home, 'sessions', '**', `*${made.id}*`, '**', '*.jsonl')).concat(
    globSync(join(app.home, 'sessions', '**', `*${made.id}*.jsonl`)),
  );
  const lines = readFileSync(file, 'utf8').split('\n');
  writeFileSync(file, lines.with(2, 'not an event').join('\n'));
  const ui = await app.start();
  await made.open(ui);
  await expect(ui.locator('[data-read-only="damaged"]')).toContainText('the log is damaged at line 3');
  await expect(ui.getByRole('treeitem', { name: 'Broken' })).toContainText('damaged, read only');
  await expect(ui.locator('#composer')).toBeDisabled();
});

for (const [size, viewport] of Object.entries({
  'at 900 × 600': { width: 900, height: 600 },
  'at twice the zoom': { width: 700, height: 450 },
}))
  test(`nothing essential is lost ${size}`, async ({ ui, session }) => {
    const made = await session({ script: ASKS, prompt: 'Go', title: 'A Session with quite a long title to show' });
    await made.until('approval/asked');
    await ui.setViewportSize(viewport);
    for (const name of ['Approvals', 'Cleanup', 'New Session', 'Settings'])
      await expect(ui.locator('.side').getByRole('button', { name })).toBeInViewport({ ratio: 1 });
    await expect(selector(ui)).toBeInViewport({ ratio: 1 });
    await expect(ui.getByRole('button', { name: 'Stop', exact: true })).toBeInViewport({ ratio: 1 });
    await expect(ui.locator('#composer')).toBeInViewport({ ratio: 1 });
    await selector(ui).click();
    await ui.keyboard.press('End');
    await expect(ui.getByRole('option', { name: 'Full access' })).toBeInViewport({ ratio: 1 });
    await ui.keyboard.press('Enter');
    await expect(ui.getByRole('button', { name: 'Switch to Full access' })).toBeInViewport({ ratio: 1 });
  });

async function replyOf(output: NodeJS.ReadableStream): Promise<string> {
  for await (const line of createInterface({ input: output })) {
    const { output: reply } = JSON.parse(line) as { readonly output?: { readonly sessionId: string } };
    if (reply) return reply.sessionId;
  }
  throw new Error('The control process ended without a reply');
}
