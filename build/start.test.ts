import { once } from 'node:events';
import { rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { killGroup, plantForAll, plantProduct, runScript, startScript } from './tree.fixture.ts';

interface Told {
  readonly pid: number;
  readonly argv: readonly string[];
  readonly env: NodeJS.ProcessEnv;
}

/** The host of the small product, once it runs. */
async function start(
  tree: string,
  { args = [], env = {} }: { args?: readonly string[]; env?: NodeJS.ProcessEnv } = {},
) {
  const child = startScript(tree, 'start.ts', args, env);
  const exit = once(child, 'exit') as Promise<[number | null, NodeJS.Signals | null]>; // Node's promise
  const lines = createInterface({ input: child.stdout ?? process.stdin })[Symbol.asyncIterator]();
  const next = async (): Promise<string> => String((await lines.next()).value);
  let line = await next();
  const before: string[] = [];
  for (; !line.startsWith('{'); line = await next()) before.push(line);
  const told = JSON.parse(line) as Told; // The program of the fixture wrote it.
  onTestFinished(() => killGroup(told.pid));
  return { child, exit, next, before, told };
}

// Built once: most starts find what they need.
let built: string;
beforeAll(() => {
  built = plantForAll();
  const { status, output } = runScript(built, 'bundle.ts');
  if (status !== 0) throw new Error(output);
}, 60_000);
afterAll(() => rmSync(built, { recursive: true, force: true }));

it(
  'builds, then runs the browser host with the reason, the arguments and the code of its end',
  { timeout: 60_000 },
  async () => {
    const { exit, told, before } = await start(plantProduct(), { args: ['--port', '4711'] });
    expect(before.join()).toMatch(/^Built in/);
    expect(told.argv.slice(1)).toEqual([expect.stringMatching(/out\/main\/serve\.cjs$/), '--port', '4711']);
    expect(told.env['GATEHOUSE_HOST_REASON']).toMatch(/^Electron is not used, because /);
    process.kill(told.pid, 'SIGUSR2');
    expect(await exit).toEqual([7, null]);
  },
);

it('starts without building where nothing has changed', async () => {
  const before = statSync(join(built, 'out/build.json')).mtimeMs;
  expect((await start(built)).before).toEqual([]);
  expect(statSync(join(built, 'out/build.json')).mtimeMs).toBe(before);
});

it('passes on every signal, and stays until the host has ended', async () => {
  const { child, told, next, exit } = await start(built);
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    child.kill(signal);
    expect(await next()).toBe(signal);
  }
  process.kill(told.pid, 'SIGUSR2');
  expect(await exit).toEqual([7, null]);
});

it('ends as the host did when a signal ended it', async () => {
  const { told, exit } = await start(built);
  process.kill(told.pid, 'SIGKILL');
  expect(await exit).toEqual([137, null]);
});

it('starts nothing when the sources are broken', { timeout: 60_000 }, async () => {
  const tree = plantProduct();
  writeFileSync(join(tree, 'main/core.ts'), `export const core = (: string => '';\n`);
  const child = startScript(tree, 'start.ts', [], {});
  const said: unknown[] = [];
  child.stderr?.on('data', (chunk) => said.push(chunk));
  expect(await once(child, 'close')).toEqual([1, null]);
  expect(said.join('')).toContain('main/core.ts');
});
