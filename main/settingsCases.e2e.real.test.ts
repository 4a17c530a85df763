import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { Json } from '../app/base/json.ts';
import type { SessionEvent } from '../app/session/events.ts';
import { assertGone, command, createWorld, file, type TestAnswer, type World } from './core.fixture.ts';

// Some start whole processes, which takes a busy machine long.
vi.setConfig({ testTimeout: 60_000 });

let folder: string;
let world: World | undefined;
const ends: (() => void)[] = [];
beforeEach(async () => {
  folder = await mkdtemp('/var/tmp/gatehouse-e2e-');
  await mkdir(join(folder, 'home'), { mode: 0o700 });
});
afterEach(async () => {
  await world?.close();
  world = undefined;
  for (const end of ends.splice(0)) end();
  await assertGone(folder);
  await rm(folder, { recursive: true, force: true });
});

const settingsFile = () => join(folder, 'home', 'settings.json');

/** The whole product over a settings file that is there before it starts. */
async function opened(content: Json | Uint8Array): Promise<World> {
  await writeFile(settingsFile(), content instanceof Uint8Array ? content : JSON.stringify(content));
  world = await createWorld({ folder });
  return world;
}

/** What every window is told of the file while it cannot be used. */
function noticed(here: World): Promise<string> {
  return here.until(({ push, data }) => push === 'notice' && data.code === 'settings' && !data.closed && data.message);
}

/** What a Session has that is made without a word about its preset. */
async function made(here: World) {
  const session = await here.turns([]);
  const { preset, mode, policy } = await session.view();
  return { preset, mode, policy };
}

const NARROW = { preset: 'read-only', mode: 'read-only', policy: 'ask' };
const CUSTOM = { presets: { careful: { sandbox: 'read-only', approval: 'ask' } }, defaultPreset: 'careful' };

it('7-a: a write that is asked for while the file is half saved is refused as before, and no policy event is added', async () => {
  const here = await opened(CUSTOM);
  const session = await here.turns([
    [file('a', 'write', { path: 'a.txt', content: 'x' }), command('b', 'echo x > b.txt')],
  ]);
  const before = await session.events();
  const text = await readFile(settingsFile(), 'utf8');
  await writeFile(settingsFile(), text.slice(0, text.length / 2));
  expect(await noticed(here)).toMatch(new RegExp(`^${settingsFile()}:1:\\d+: `));
  expect(await session.turn()).toMatchObject([
    { status: 'refused', code: 'denied', denied: [{ mode: 'read-only' }] },
    { facts: { exitCode: 1 }, denied: [{ mode: 'read-only' }] },
  ]);
  await writeFile(settingsFile(), text);
  await here.until(({ push, data }) => push === 'notice' && data.code === 'settings' && data.closed === true);
  const isPolicy = ({ type }: SessionEvent) => /^(permission|sandbox|approval)\//.test(type);
  expect((await session.events()).filter(isPolicy)).toEqual(before.filter(isPolicy));
  expect(await session.view()).toMatchObject({ preset: 'careful', mode: 'read-only', policy: 'ask' });
});

/** A whole `gatehouse run` of a script in `folder`, with what it says. */
async function running(answers: readonly TestAnswer[]) {
  const [workspace, script] = [join(folder, 'repo'), join(folder, 'script.json')];
  await mkdir(workspace, { recursive: true });
  await writeFile(script, JSON.stringify({ answers }));
  const argv = [join(import.meta.dirname, 'cli.ts'), 'run', '--agent', `script:${script}`, '--workspace', workspace];
  const env = { ...process.env, GATEHOUSE_HOME: join(folder, 'home') };
  const child = spawn(process.execPath, argv, { env, stdio: ['ignore', 'pipe', 'pipe'], detached: true });
  ends.push(() => endGroup(child.pid));
  const exit = once(child, 'close').then(([code]) => code as number | null);
  const said = { out: '', err: '' };
  const heard = new Set<() => void>();
  const listen = (stream: 'out' | 'err') => (text: string) => {
    said[stream] += text;
    for (const look of heard) look();
  };
  child.stdout.setEncoding('utf8').on('data', listen('out'));
  child.stderr.setEncoding('utf8').on('data', listen('err'));
  /** Resolves when it is said; rejects when the process has ended without. */
  const until = async (stream: 'out' | 'err', text: string) => {
    const met = Promise.withResolvers<void>();
    const look = () => said[stream].includes(text) && met.resolve();
    heard.add(look);
    look();
    const ended = exit.then((code) => Promise.reject(new Error(`It ended with ${code}: ${JSON.stringify(said)}`)));
    await Promise.race([met.promise, ended]);
  };
  return { workspace, said, exit, until };
}

function endGroup(pid: number | undefined): void {
  try {
    process.kill(-(pid ?? 0), 'SIGKILL');
  } catch {
    // It has ended.
  }
}

it('7-a: without a window the message is in the log output, with its place, and so is the end of it', async () => {
  await writeFile(settingsFile(), JSON.stringify(CUSTOM));
  const wait = (id: string, name: string) => command(id, `echo ${id}; until [ -e ${name} ]; do sleep 0.05; done`);
  const run = await running([
    { calls: [wait('up', 'go')] },
    { calls: [file('write', 'write', { path: 'a.txt', content: 'x' }), wait('on', 'end')] },
    { text: 'Done.' },
  ]);
  await run.until('out', '* bash');
  await writeFile(settingsFile(), '{ "presets": { "careful": { "sandbox"');
  await run.until('err', `gatehouse: ${settingsFile()}:1:`);
  await writeFile(join(run.workspace, 'go'), '');
  await run.until('out', 'refused denied');
  await writeFile(settingsFile(), JSON.stringify(CUSTOM));
  await run.until('err', 'The settings file is good again.');
  await writeFile(join(run.workspace, 'end'), '');
  expect(await run.exit).toBe(0);
  expect(run.said.out.match(/^# /gm)).toHaveLength(3);
});

it.each<[Json, string]>(
  ['readonly', 'Read-Only', 'workspace_write', '', null, true, 7].map((value) => [value, JSON.stringify(value)]),
)(
  '7-c: with the mode %j in the file no Session starts wider than read-only and ask, and the message says why',
  async (value, shown) => {
    const presets = { mine: { sandbox: value, approval: 'never' } };
    const here = await opened({ presets, defaultPreset: 'mine' });
    const message = await noticed(here);
    for (const part of ['presets.mine.sandbox', shown, 'read-only, workspace-write, danger-full-access'])
      expect(message).toContain(part);
    expect(await made(here)).toEqual(NARROW);
    expect((await here.request('preset.list', {})).presets.map(({ name }) => name)).not.toContain('mine');
  },
);

it.each<[string, Json, readonly string[]]>([
  [
    'an unknown approval policy',
    { mine: { sandbox: 'danger-full-access', approval: 'allways' } },
    ['presets.mine.approval', '"allways"', 'ask, never'],
  ],
  [
    'a preset named custom',
    { custom: { sandbox: 'danger-full-access', approval: 'never' } },
    ['presets.custom', '"custom"'],
  ],
])('7-c: with %s it is the same', async (_what, presets, parts) => {
  const here = await opened({ presets });
  const message = await noticed(here);
  for (const part of parts) expect(message).toContain(part);
  expect(await made(here)).toEqual(NARROW);
});

it('7-d: a file with a byte-order mark and Windows line ends is like the plain one', async () => {
  const here = await opened(Buffer.from(`\ufeff${JSON.stringify(CUSTOM, null, 2).replaceAll('\n', '\r\n')}`));
  expect((await here.request('preset.list', {})).presets).toMatchObject([{ name: 'careful', sandbox: 'read-only' }]);
  expect((await here.request('settings.get', {})).problem).toBeUndefined();
  expect(await made(here)).toMatchObject({ ...NARROW, preset: 'careful' });
});

it.each<[string, Buffer]>([
  ['in UTF-16', Buffer.from(`\ufeff${JSON.stringify(CUSTOM)}`, 'utf16le')],
  ['with an invalid byte', Buffer.concat([Buffer.from('{"label": "'), Buffer.from([0xe4]), Buffer.from('"}')])],
])('7-d: with a file %s it starts all the same, says encoding, and new Sessions are narrow', async (_what, bytes) => {
  const here = await opened(bytes);
  const message = await noticed(here);
  expect(message).toContain(settingsFile());
  expect(message).toContain('encoding');
  expect(await made(here)).toEqual(NARROW);
});

it('7-g: without a window nothing is started while what an empty file protects is not known, exit 1', async () => {
  await writeFile(settingsFile(), '');
  const secret = join(folder, 'secret.txt');
  await writeFile(secret, 'the secret\n');
  const run = await running([{ calls: [command('a', `cat ${secret}`), file('b', 'read', { path: secret })] }, {}]);
  expect(await run.exit).toBe(1);
  expect(run.said.err).toContain(`${settingsFile()}:1:1: the file is empty`);
  expect(run.said.out + run.said.err).not.toContain('the secret');
  expect(run.said.out).toBe('');
});
