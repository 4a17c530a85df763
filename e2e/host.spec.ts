import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from './fixtures/test.ts';
import { isAlive, treeOf } from './fixtures/processes.ts';

// What holds whichever host it is: the window is led in, one core answers it, and nothing is left when it ends.

test('a window comes up, is let in, and is told which program it is in', async ({ ui, door, host }) => {
  await expect(ui).toHaveTitle(/Gatehouse/);
  const described = await door.request('host.describe', {});
  expect(described.host).toBe(host === 'browser' ? 'browser' : 'electron');
});

test('a request that nobody knows, and one with a wrong input, are answered with a code', async ({ door }) => {
  expect(await door.ask('session.everything', {})).toMatchObject({ ok: false, code: 'unknown-request' });
  expect(await door.ask('session.open', { sessionId: '../x' })).toMatchObject({ ok: false, code: 'invalid-input' });
});

test('what a scripted Session writes is in its workspace, and its events come as pushes without a gap', async ({
  session,
  door,
  workspace,
}) => {
  const made = await session({
    prompt: 'Go',
    script: [
      { text: 'Writing.', calls: [{ id: 'c1', tool: 'write', input: { path: 'a.txt', content: 'A' } }] },
      { text: 'Done.' },
    ],
  });
  await made.until('turn/end');
  expect(readFileSync(join(workspace, 'a.txt'), 'utf8')).toBe('A');
  await expect
    .poll(async () => (await door.pushes()).flatMap((push) => (push.push === 'event' ? [push.data.event.type] : [])))
    .toContain('turn/end');
});

test('a program runs on the Node that this host brings, and its variables stay', async ({ session }) => {
  const program = (id: string, code: string) => ({
    calls: [{ id, tool: 'run_code', input: { title: 'Count', code } }],
  });
  const made = await session({
    prompt: 'Go',
    script: [program('c1', 'let count = 1; count'), program('c2', 'count + 1'), { text: 'Done.' }],
  });
  await made.until('turn/end');
  const results = await made.eventsOf('tool/result');
  expect(results.map(({ data }) => [data.status, data.value])).toEqual([
    ['ok', 1],
    ['ok', 2],
  ]);
});

test('two windows follow the same Session, and a third way in sees what both see', async ({
  ui,
  openWindow,
  session,
}) => {
  const made = await session({ title: 'Shared', script: [{ text: 'Hello.' }] });
  const second = await openWindow();
  await expect(ui).toHaveTitle(/Shared/);
  await made.open(second);
  await expect(second).toHaveTitle(/Shared/);
});

test('a Session and its log are there again after a restart', async ({ app, session, ui }) => {
  const made = await session({ title: 'Kept', prompt: 'Go', script: [{ text: 'Done.' }] });
  await made.until('turn/end');
  expect(ui.isClosed()).toBe(false);
  const page = await app.restart();
  await expect(page.getByText('Kept').first()).toBeVisible();
});

test('an end by the system leaves no process, and is an orderly one', async ({ app, ui }) => {
  expect(ui.isClosed()).toBe(false);
  const { pid } = app;
  const tree = treeOf(pid);
  expect(tree).toContain(pid);
  expect(await app.stop()).toBe(0);
  expect(tree.filter(isAlive)).toEqual([]);
});

test('a main process that is killed takes its windows and its programs with it, and the next one recovers', async ({
  app,
  session,
  home,
}) => {
  const made = await session({
    title: 'Killed',
    prompt: 'Go',
    script: [{ calls: [{ id: 'c1', tool: 'bash', input: { command: 'sleep 600' } }] }, { text: 'Done.' }],
  });
  await made.until('tool/started');
  await app.kill();
  const page = await app.start();
  await expect(page.getByText('Killed').first()).toBeVisible();
  expect(existsSync(join(home, 'sessions', made.id, 'session.jsonl'))).toBe(true);
});
