import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { App } from './fixtures/app.ts';
import { commandOf, isAlive, signal, treeOf } from './fixtures/processes.ts';
import { ROOT } from './fixtures/place.ts';
import { expect, test } from './fixtures/test.ts';
import { AS_ROOT } from './standin/chromium.ts';

test.describe.configure({ timeout: 60_000 });

const WITHIN_MS = 3_000;

test('9-d: started again, the second ends with 0 within 3 s and the minimised window comes forward', async ({
  app,
  ui,
  desktop,
  home,
}) => {
  expect(await statesOf(app)).toEqual([{ minimized: false, focused: true }]);
  await minimize(app);
  expect(await timed(() => desktop.startAgain())).toEqual({ value: 0, inTime: true });
  await expect.poll(() => statesOf(app)).toEqual([{ minimized: false, focused: true }]);
  expect(instancesIn(home)).toHaveLength(1);
  expect(ui.isClosed()).toBe(false);
});

test('9-d: started again with a folder, it offers a Session there and leaves alone what is at work', async ({
  app,
  ui,
  desktop,
  session,
  folder,
  home,
}) => {
  const made = await session({ script: [{ await: 'go', text: 'One.' }], prompt: 'Go' });
  await made.until('step/start');
  const other = join(folder, 'other');
  mkdirSync(other);
  await minimize(app);
  // As from a shell that stands elsewhere.
  expect(await timed(() => desktop.startAgain(['other'], folder))).toEqual({ value: 0, inTime: true });
  await expect.poll(() => statesOf(app)).toEqual([{ minimized: false, focused: true }]);
  await expect(ui.getByLabel('Folder', { exact: true })).toHaveValue(other);
  await made.release('go');
  await made.until('turn/end');
  expect((await made.events()).filter(({ type }) => type === 'session/end-seed')).toEqual([]);
  expect(instancesIn(home)).toHaveLength(1);
});

test('9-d: of two that are started at the same instant one stays, and the other ends with 0 within 3 s', async ({
  app,
  ui,
  env,
  own,
  folder,
}) => {
  expect(ui.isClosed()).toBe(false);
  const command = await app.electron.evaluate(() => process.execPath);
  const home = join(folder, 'at once');
  const both = [1, 2].map(() => {
    const child = spawn(command, [...AS_ROOT, ROOT], {
      env: { ...env, GATEHOUSE_HOME: home },
      detached: true,
      stdio: 'ignore',
    });
    own(child);
    return { child, ended: once(child, 'exit') };
  });
  const first = await timed(() => Promise.race(both.map(async ({ ended }) => (await ended)[0] as number | null)));
  expect(first).toEqual({ value: 0, inTime: true });
  const [stays, ...more] = both.filter(({ child }) => isRunning(child));
  if (!stays) throw new Error('Both have ended');
  expect(more).toEqual([]);
  const { pid = 0 } = stays.child;
  await expect.poll(() => treeOf(pid).map(commandOf).join('\n'), { timeout: 10_000 }).toContain('--type=renderer');
  expect(instancesIn(home)).toHaveLength(1);
  const tree = treeOf(pid);
  signal(pid, 'SIGTERM');
  expect((await stays.ended)[0]).toBe(0);
  await expect.poll(() => tree.filter(isAlive)).toEqual([]);
});

function isRunning({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode === null && signalCode === null;
}

async function timed<T>(work: () => Promise<T>): Promise<{ readonly value: T; readonly inTime: boolean }> {
  const from = performance.now();
  const value = await work();
  return { value, inTime: performance.now() - from < WITHIN_MS };
}

/** Each main process that has this data folder open has marked itself. */
function instancesIn(home: string): string[] {
  return readdirSync(join(home, 'instances')).filter((name) => name.endsWith('.lock'));
}

async function minimize(app: App): Promise<void> {
  await app.electron.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.minimize());
}

function statesOf(app: App): Promise<readonly object[]> {
  return app.electron.evaluate(({ BrowserWindow }) =>
    BrowserWindow.getAllWindows().map((window) => ({ minimized: window.isMinimized(), focused: window.isFocused() })),
  );
}
