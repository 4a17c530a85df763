import { existsSync, readFileSync } from 'node:fs';
import {
  appendFile,
  chmod,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  realpath,
  rm,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import type { Result } from '../app/tool/result.ts';
import { command, createWorld, file, program, TestSession, type TestCall, type World } from './core.fixture.ts';

// Whole cores start, and what is asked to end may take its grace.
vi.setConfig({ testTimeout: 60_000 });

let world: World;
beforeEach(async () => (world = await createWorld()));
afterEach(() => world.close());

async function freshFolder(below: string): Promise<string> {
  const folder = await mkdtemp(join(await realpath(below), 'gatehouse-scope-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

async function neverAsking(turns: readonly (readonly TestCall[])[], workspace: string): Promise<TestSession> {
  const session = await world.turns(turns, { workspace, preset: 'workspace-write' });
  await world.request('approvalPolicy.set', { sessionId: session.id, policy: 'never' });
  return session;
}

/** One write by the file tool, by the shell and by a call that a program makes. */
const writes = (path: string): readonly TestCall[] => [
  file('tool', 'write', { path, content: 'x' }),
  command('shell', `echo x > '${path}'`),
  program(
    'nested',
    `const got = await tools.write({ path: ${JSON.stringify(path)}, content: 'x' }).catch((fault) => fault); [got.code ?? got.name, got.message]`,
  ),
];

describe.each([
  // Of `/tmp` a sandbox sees nothing but the workspace: there is no sibling to be denied.
  ['/tmp', false],
  ['/var/tmp', true],
])('2-a: with a workspace below %s', (below, seen) => {
  it('nine ways into a sibling with the same beginning are denied with its path, and the long way round to the inside is taken', async () => {
    const folder = await freshFolder(below);
    const [workspace, evil] = [join(folder, 'project'), join(folder, 'project-evil')];
    for (const each of [workspace, evil]) await mkdir(each);
    const paths = ['../project-evil/x', `${evil}/x`, `${workspace}/../project-evil/x`];
    const inside = ['tool', 'shell', 'nested'].map((name) => `${workspace}//${name}/./b.txt`);
    const [byTool, byShell, byProgram] = inside.map((path) => writes(path));
    const turns = [
      ...paths.map((path) => writes(path)),
      [byTool?.[0], command('shell', `mkdir -p shell && echo x > ${inside[1]}`), byProgram?.[2]].flatMap(
        (call) => call ?? [],
      ),
    ];
    expect(byShell).toHaveLength(3);
    const session = await neverAsking(turns, workspace);
    for (const _path of paths) {
      const [tool, shell, nested] = await session.turn();
      expect(tool).toMatchObject({ status: 'refused', code: 'denied', content: expect.stringContaining(`${evil}/x`) });
      expect(shell?.facts?.exitCode).not.toBe(0);
      expect(shell?.content).toContain('project-evil/x');
      expect(shell?.denied?.map(({ path }) => path)).toEqual(seen ? [`${evil}/x`] : undefined);
      expect(JSON.stringify(nested?.value)).toContain(`${evil}/x`);
      expect((await session.of('tool/nested-result')).at(-1)).toMatchObject({ status: 'refused', code: 'denied' });
    }
    expect(await readdir(evil)).toEqual([]);
    expect((await session.turn()).map(({ status }) => status)).toEqual(['ok', 'ok', 'ok']);
    expect((await readdir(workspace, { recursive: true })).toSorted()).toEqual([
      'nested',
      'nested/b.txt',
      'shell',
      'shell/b.txt',
      'tool',
      'tool/b.txt',
    ]);
  });
});

it('2-c: protected entries that are links make no command fail, and nothing is written through them', async () => {
  const { workspace } = world;
  const target = join(world.folder, 'dotfiles-bashrc');
  await writeFile(target, 'before\n');
  await chmod(target, 0o444);
  await symlink(target, join(workspace, '.bashrc'));
  await symlink(join(world.folder, 'missing'), join(workspace, '.env'));
  await mkdir(join(workspace, 'shared-hooks'));
  await rm(join(workspace, '.git/hooks'), { recursive: true, force: true });
  await symlink('../shared-hooks', join(workspace, '.git/hooks'));
  for (const preset of ['read-only', 'workspace-write']) {
    const calls = [
      command('a', ':'),
      command('b', 'echo x >> .bashrc'),
      file('c', 'edit', { path: '.bashrc', oldText: 'before', newText: 'x' }),
    ];
    const session = await world.turns([calls, [program('d', "require('fs').appendFileSync('.bashrc', 'x')")]], {
      preset,
    });
    const [nothing, append, edit] = await session.turn();
    expect(nothing).toMatchObject({ status: 'ok', facts: { exitCode: 0 }, content: 'exit code 0, no output' });
    expect(append?.facts?.exitCode).not.toBe(0);
    expect(append?.content).toMatch(/\.bashrc: (Read-only file system|Permission denied)/);
    for (const { status, content } of [edit, await session.one()].flatMap((result) => result ?? [])) {
      expect(status).not.toBe('ok');
      expect(content).not.toMatch(/^bwrap:/);
    }
    expect(readFileSync(target, 'utf8')).toBe('before\n');
  }
  expect(existsSync(join(world.folder, 'missing'))).toBe(false);
});

it('2-e: a name spelled with other code points is not found, the message names the look-alike, and what is denied is denied for both', async () => {
  const [stored, asked] = ['a\u0308.txt', '\u00e4.txt'];
  await writeFile(join(world.workspace, stored), 'text');
  const outside = [stored, asked].map((name) =>
    file(`out-${name.length}`, 'write', { path: `../${name}`, content: 'x' }),
  );
  const session = await world.turns([
    [file('a', 'read', { path: asked }), file('b', 'read', { path: stored }), command('c', `cat ${asked}`), ...outside],
  ]);
  const [missing, found, shell, one, other] = await session.turn();
  expect(missing).toMatchObject({ status: 'failed', code: 'not-found', content: expect.stringContaining(stored) });
  expect(found).toMatchObject({ status: 'ok', content: expect.stringContaining('text') });
  expect(shell?.facts?.exitCode).toBe(1);
  expect([one, other]).toMatchObject(Array(2).fill({ status: 'refused', code: 'denied' }));
});

it('2-f: a working folder of its own widens nothing for a call, and a workspace `/` must be confirmed', async () => {
  const { workspace } = world;
  await symlink('/', join(workspace, 'up'));
  const folders = ['/', homedir(), '..', 'up/tmp'];
  const calls = folders.map((cwd, index) => command(`c${index}`, 'touch .pwn', { cwd }));
  const session = await neverAsking([calls], workspace);
  const results = await session.turn();
  expect(results.slice(0, 3)).toMatchObject(Array(3).fill({ status: 'refused', code: 'denied' }));
  for (const { content } of results.slice(0, 3)) expect(content).toMatch(/outside/);
  // Through the link lies the private temp, which every Mode may write.
  expect(results[3]).toMatchObject({ status: 'ok', facts: { exitCode: 0 } });
  const places = ['/', homedir(), world.folder, '/tmp', workspace].map((folder) => join(folder, '.pwn'));
  expect(places.filter((path) => existsSync(path))).toEqual([]);
  expect((await session.of('tool/started')).map(({ roots }) => roots)).toEqual([[workspace]]);
  expect(await world.reply('session.create', { workspace: '/' })).toMatchObject({
    ok: false,
    code: 'workspace-refused',
  });
});

it('2-g: a workspace that was removed fails each call with its path, starts nothing again, and is usable once it is back, also after a restart', async () => {
  const workspace = join(world.folder, 'removed');
  await mkdir(workspace);
  const both = (id: string) => [command(`${id}1`, 'echo ran'), program(`${id}2`, 'typeof x')];
  const turns = [[program('a', 'let x = 1; x')], both('b'), both('c'), both('d')];
  const session = await world.turns(turns, { workspace });
  expect(await session.one()).toMatchObject({ value: 1 });
  await rm(workspace, { recursive: true });
  const expectMissing = (results: readonly Result[]) => {
    expect(results).toMatchObject(Array(2).fill({ status: 'refused', code: 'workspace-missing' }));
    for (const { content } of results) {
      expect(content).toContain(workspace);
      expect(content).not.toMatch(/shell|bash|bwrap/);
    }
  };
  expectMissing(await session.turn());
  const { folder } = world;
  await world.close({ keep: true });

  world = await createWorld({ folder });
  const again = new TestSession(world, session.id);
  const { sessions } = await world.request('session.list', {});
  expect(sessions.map(({ sessionId }) => sessionId)).toContain(session.id);
  expect((await again.view()).readOnly).toBeUndefined();
  expectMissing(await again.turn());
  expect(await again.of('environment/started')).toHaveLength(1);
  await mkdir(workspace);
  const [shell, inProgram] = await again.turn();
  expect(shell).toMatchObject({ status: 'ok', facts: { output: { text: 'ran\n' } } });
  expect(inProgram).toMatchObject({ status: 'ok', value: 'undefined' });
});

it.each(['/tmp', '/var/tmp'])(
  '2-h: two Sessions below %s see their own folder and temp, and not those of each other',
  async (below) => {
    const [mine, other] = [await freshFolder(below), await freshFolder(below)];
    const secret = `/tmp/gatehouse-of-the-other-${process.pid}`;
    await appendFile(join(mine, 'there.txt'), '');
    const second = await world.turns([[command('a', `echo secret > ${secret} && cat ${secret}`)]], {
      workspace: other,
    });
    expect(await second.one()).toMatchObject({ facts: { exitCode: 0, output: { text: 'secret\n' } } });
    const look = `pwd; ls; echo x > in.txt; echo "in $?"; echo x > /tmp/other.txt; echo "temp $?"; cat ${secret}; echo "secret $?"`;
    for (const [preset, written] of [
      ['read-only', 1],
      ['workspace-write', 0],
    ] as const) {
      const session = await world.turns([[command('a', `{ ${look}; } 2>/dev/null`)]], { workspace: mine, preset });
      const { facts } = await session.one();
      expect(facts?.output.text).toBe(`${mine}\nthere.txt\nin ${written}\ntemp 0\nsecret 1\n`);
      expect(existsSync(join(mine, 'in.txt'))).toBe(written === 0);
    }
    expect([existsSync('/tmp/other.txt'), existsSync(secret)]).toEqual([false, false]);
    expect(await readFile(join(mine, 'in.txt'), 'utf8')).toBe('x\n');
  },
);
