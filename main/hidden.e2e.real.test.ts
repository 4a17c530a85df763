import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { command, createWorld, program, type TestCall, type TestSession, type World } from './core.fixture.ts';

let folder: string;
let file: string;
let missing: string;
let world: World;
beforeEach(async () => {
  folder = mkdtempSync('/var/tmp/gatehouse-hidden-');
  [file, missing] = [join(folder, 'keys'), join(folder, 'cloud')];
  writeFileSync(file, 'old');
  world = await createWorld({ settings: { launch: { hide: [file, missing] } } });
});
afterEach(async () => {
  await world.close();
  rmSync(folder, { recursive: true, force: true });
});

function replaceFile(): void {
  writeFileSync(`${file}.lock`, 'NEW SECRET');
  renameSync(`${file}.lock`, file);
}

function makeMissing(): void {
  mkdirSync(missing);
  writeFileSync(join(missing, 'credentials'), 'NEW SECRET');
}

const changes = [
  ['replaced', replaceFile],
  ['made', makeMissing],
] as const;

const turns = (...calls: readonly TestCall[]): Promise<TestSession> =>
  world.turns(
    calls.map((call) => [call]),
    { preset: 'read-only' },
  );
const read = () => `
  const read = (path) => { try { return require('fs').readFileSync(path, 'utf8') } catch (fault) { return fault.code } };
  [typeof kept, read(${JSON.stringify(file)}), read(${JSON.stringify(join(missing, 'credentials'))})].join()`;

it.each(changes)('gives no program a process that was started before a hidden path was %s', async (_how, change) => {
  const session = await turns(program('one', 'globalThis.kept = 1; 0'), program('two', read()));
  await session.one();
  change();
  const result = await session.one();
  expect(result).toMatchObject({
    lost: { reason: 'protected-entry' },
    value: 'undefined,EACCES,ENOENT',
  });
});

it.each(changes)('ends a command while which a hidden path was %s, and says why', async (_how, change) => {
  const session = await turns(command('waits', 'echo up; sleep 300'), command('next', 'echo fine'));
  const done = session.one();
  await session.started('waits');
  await world.until(({ push, data }) => push === 'output' && data.text.includes('up'));
  change();
  const result = await done;
  expect(result).toMatchObject({
    status: 'failed',
    content: expect.stringMatching(/ended: a hidden file appeared while it ran/),
    facts: { signal: 'SIGKILL', revealed: expect.stringContaining(folder), cancelled: false },
  });
  expect(await session.of('cleanup/ended')).toMatchObject([{ phase: 'released' }]);
  expect(await session.one()).toMatchObject({ content: 'fine' });
  await session.expectVerified();
});

it('ends a program while which a hidden path was replaced', async () => {
  const session = await turns(
    program('waits', 'console.log("up"); await new Promise(() => setInterval(() => 0, 1000))'),
  );
  const done = session.one();
  await world.until(({ push, data }) => push === 'output' && data.text.includes('up'));
  replaceFile();
  expect(await done).toMatchObject({
    status: 'failed',
    code: 'environment-lost',
    content: expect.stringContaining('hidden'),
  });
});

it('is no news of a protected entry, where a call may write', async () => {
  const session = await world.turns([[command('one', 'true')], [command('two', 'true')]]);
  await session.one();
  replaceFile();
  makeMissing();
  mkdirSync(join(world.workspace, '.vscode'));
  await session.one();
  const notices = await session.of('session/notice');
  expect(notices).toMatchObject([{ code: 'protected-entry', message: expect.not.stringContaining(folder) }]);
});
