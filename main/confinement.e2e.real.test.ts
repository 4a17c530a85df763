import { existsSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import type { Result } from '../app/tool/result.ts';
import { command, createWorld, file, program, type TestCall, type World } from './core.fixture.ts';
import { findProgram } from './sandbox/programs.ts';

let world: World;
beforeEach(async () => (world = await createWorld()));
afterEach(() => world.close());

const content = (path: string): string | undefined => (existsSync(path) ? readFileSync(path, 'utf8') : undefined);

/** The same write by a command, by a program and by the file tool. */
function writes(path: string): readonly TestCall[] {
  const code = `try { require('fs').writeFileSync(${JSON.stringify(path)}, 'x'); 'written' } catch (error) { error.code }`;
  return [
    command('shell', `echo x > '${path}'`),
    program('program', code),
    file('tool', 'write', { path, content: 'x' }),
  ];
}

function expectAllDenied([shell, inProgram, tool]: readonly Result[], mode: string): void {
  expect(shell).toMatchObject({ status: 'ok', denied: [{ mode }] });
  expect(shell?.facts?.exitCode).not.toBe(0);
  expect(inProgram).toMatchObject({ status: 'ok', value: expect.stringMatching(/^(EROFS|EACCES|EPERM|ENOENT)$/) });
  expect(tool).toMatchObject({ status: 'refused', code: 'denied', denied: [{ mode, certain: true }] });
}

describe('read-only', () => {
  it('SBX-1: lets nothing write outside of private temp, and says so with the mode', async () => {
    const inside = join(world.workspace, 'no.txt');
    const session = await world.turns([writes(inside), writes(join(world.folder, 'no.txt')), writes('/tmp/yes.txt')], {
      preset: 'read-only',
    });
    for (const path of [inside, join(world.folder, 'no.txt')]) {
      expectAllDenied(await session.turn(), 'read-only');
      expect(existsSync(path)).toBe(false);
    }
    expect(await session.turn()).toMatchObject([{ status: 'ok', facts: { exitCode: 0 } }, { value: 'written' }, {}]);
    expect(existsSync('/tmp/yes.txt')).toBe(false);
  });

  it('SBX-2: lets files be read and output go to /dev/null', async () => {
    await writeFile(join(world.workspace, 'a.txt'), 'text');
    const code =
      "const fs = require('fs'); fs.writeFileSync('/dev/null', 'x'); [fs.readFileSync('a.txt', 'utf8'), (await tools.read({ path: 'a.txt' })).text]";
    const session = await world.turns(
      [[command('a', 'cat a.txt && cat a.txt > /dev/null'), program('b', code), file('c', 'read', { path: 'a.txt' })]],
      { preset: 'read-only' },
    );
    const [shell, inProgram, tool] = await session.turn();
    expect(shell).toMatchObject({ status: 'ok', facts: { exitCode: 0, output: { text: 'text' } } });
    expect(inProgram).toMatchObject({ status: 'ok', value: ['text', expect.stringContaining('text')] });
    expect(tool).toMatchObject({ status: 'ok', content: expect.stringContaining('text') });
  });
});

describe('workspace-write', () => {
  it('SBX-4: writes /tmp inside, where all tools of the Session see it and the host has no such file', async () => {
    const path = `/tmp/gatehouse-sbx4-${process.pid}.txt`;
    const code = `require('fs').appendFileSync('${path}', 'b'); require('fs').readFileSync('${path}', 'utf8')`;
    const session = await world.turns([
      [command('a', `printf a > ${path}`), program('b', code), file('c', 'read', { path })],
    ]);
    const [shell, inProgram, tool] = await session.turn();
    expect(shell).toMatchObject({ facts: { exitCode: 0 } });
    expect(inProgram).toMatchObject({ value: 'ab' });
    expect(tool).toMatchObject({ status: 'ok', content: expect.stringContaining('ab') });
    expect(existsSync(path)).toBe(false);
  });

  it('SBX-5: does not get out through /proc/1/root, and manages its own children', async () => {
    const target = join(world.folder, 'out.txt');
    await writeFile(target, 'before');
    const shell = `echo x > /proc/1/root${target}; echo $?; for pid in /proc/[0-9]*; do echo x > $pid/root${target}; done; sleep 60 & kill $! && wait $!; echo child $?`;
    const code = `const { spawn } = require('child_process'); const child = spawn('sleep', ['60']); const ended = new Promise((end) => child.on('exit', (code, signal) => end(signal)));
      let code1 = 'written'; try { require('fs').writeFileSync('/proc/1/root${target}', 'x') } catch (error) { code1 = error.code }
      child.kill(); [await ended, code1]`;
    const session = await world.turns([[command('a', shell), program('b', code)]]);
    const [inShell, inProgram] = await session.turn();
    expect(inShell?.facts?.output.text).toMatch(/\n[12]\n[^]*child 143\n$/);
    expect(inProgram).toMatchObject({ status: 'ok', value: ['SIGTERM', expect.stringMatching(/^E/)] });
    expect(content(target)).toBe('before');
  });

  it('SBX-8: denies a write through a link that leads out, to an existing and to a new file', async () => {
    const outside = join(world.folder, 'outside');
    await mkdir(outside);
    await writeFile(join(outside, 'old.txt'), 'before');
    await symlink(outside, join(world.workspace, 'link'));
    await symlink(join(outside, 'old.txt'), join(world.workspace, 'old.txt'));
    const session = await world.turns(['link/old.txt', 'link/new.txt', 'old.txt'].map((path) => writes(path)));
    for (let turn = 0; turn < 3; turn += 1) expectAllDenied(await session.turn(), 'workspace-write');
    expect([content(join(outside, 'old.txt')), existsSync(join(outside, 'new.txt'))]).toEqual(['before', false]);
  });

  it('SBX-9: denies `..` and absolute paths outside, and a sibling with the same beginning (2-a)', async () => {
    await mkdir(`${world.workspace}-evil`);
    const paths = [
      '../no.txt',
      join(world.folder, 'no.txt'),
      '../repo-evil/no.txt',
      `${world.workspace}/../repo-evil/no.txt`,
    ];
    const session = await world.turns([...paths.map((path) => writes(path)), writes(`${world.workspace}//a.txt`)]);
    for (const _path of paths) expectAllDenied(await session.turn(), 'workspace-write');
    expect(['no.txt', 'repo-evil/no.txt'].map((path) => existsSync(join(world.folder, path)))).toEqual([false, false]);
    expect(await session.turn()).toMatchObject([{ facts: { exitCode: 0 } }, { value: 'written' }, {}]);
    expect(existsSync(join(world.workspace, 'a.txt'))).toBe(true);
  });
});

it.each(['/tmp', '/var/tmp'])(
  '2-h: works in a workspace directly below %s, and in read-only writes nothing there',
  async (below) => {
    const workspace = await mkdtemp(`${below}/gatehouse-direct-`);
    onTestFinished(() => rm(workspace, { recursive: true }));
    const calls = (name: string) => [
      command('a', `pwd && echo x > ${name}-a.txt && echo x > /tmp/gatehouse-private`),
      program('b', `require('fs').writeFileSync('${name}-b.txt', 'x'); require('fs').readdirSync('.').length`),
      file('c', 'write', { path: `${name}-c.txt`, content: 'x' }),
    ];
    const session = await world.turns([calls('w'), calls('r')], { workspace });
    expect((await session.turn()).map(({ status, facts }) => [status, facts?.exitCode])).toEqual([
      ['ok', 0],
      ['ok', undefined],
      ['ok', undefined],
    ]);
    await session.setMode('read-only');
    expect((await session.turn()).map(({ status }) => status)).toEqual(['ok', 'failed', 'refused']);
    expect((await readdir(workspace)).toSorted()).toEqual(['w-a.txt', 'w-b.txt', 'w-c.txt']);
    expect(existsSync('/tmp/gatehouse-private')).toBe(false);
    await session.expectVerified();
  },
);

describe('without a sandbox on this machine', () => {
  it('SBX-6: nothing runs confined and says what to do; it works again as soon as the sandbox is back (3-a)', async () => {
    const bin = await mkdtemp('/var/tmp/gatehouse-bin-');
    onTestFinished(() => rm(bin, { recursive: true }));
    const helpers = await Promise.all(
      ['bwrap', 'nsenter', 'prlimit', 'setpriv'].map(async (name) => ({
        name,
        path: await findProgram(name, process.env['PATH'] ?? ''),
      })),
    );
    await world.close();
    world = await createWorld({ path: bin });
    const marker = join(world.folder, 'marker');
    const calls = (id: string) => [
      command(`${id}1`, `echo x > ${marker}`),
      program(`${id}2`, `require('fs').writeFileSync('${marker}', 'x')`),
    ];
    const confined = await Promise.all(
      ['read-only', 'workspace-write'].map((preset) =>
        world.turns([calls('a'), [command('b', 'echo back')]], { preset }),
      ),
    );
    for (const session of confined) {
      const results = await session.turn();
      expect(results).toMatchObject(Array(2).fill({ status: 'refused', code: 'SANDBOX_UNAVAILABLE' }));
      for (const result of results) expect(result.content).toMatch(/bwrap|bubblewrap/);
    }
    expect([existsSync(marker), world.processes()]).toEqual([false, []]);
    const full = await world.turns([[command('a', 'echo free')]], { preset: 'danger-full-access' });
    expect(await full.one()).toMatchObject({ status: 'ok' });
    for (const { name, path } of helpers) if (path) await symlink(path, join(bin, name));
    for (const session of confined) expect(await session.one()).toMatchObject({ status: 'ok', facts: { exitCode: 0 } });
  });
});
