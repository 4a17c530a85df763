import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { CONFINED_MODES } from '../../app/sandbox/mode.fixture.ts';
import type { ConfinedLaunch } from './confined.ts';
import { identityOf, isAlive } from '../process/identity.ts';
import { Seatbelt } from './seatbelt.ts';
import { createWorld, never, session, Transcript, type World } from './world.fixture.ts';

let world: World;
/** Where `sandbox-exec` is looked up. */
let bin: string;
beforeEach(() => {
  world = createWorld();
  bin = join(world.base, 'bin');
  mkdirSync(bin);
});
afterEach(() => world.remove());

function seatbelt(): Seatbelt {
  const { home, userHome } = world;
  const provider = new Seatbelt({
    home,
    userHome,
    instance: 'seatbelt',
    runtime: [process.execPath],
    variables: process.env,
    path: bin,
  });
  onTestFinished(() => provider.close());
  return provider;
}

/** Takes the same command line, writes it down, and runs the command without confining it: this system has nothing better. */
function install(script = 'while [ "$1" != -- ]; do shift; done; shift; exec "$@"'): void {
  const path = join(bin, 'sandbox-exec');
  writeFileSync(path, `#!/bin/sh\nprintf '%s\\n' "$@" > '${bin}/asked'\n${script}\n`);
  chmodSync(path, 0o755);
}

async function launched(
  provider: Seatbelt,
  request: Pick<ConfinedLaunch, 'argv' | 'policy'> & Partial<ConfinedLaunch>,
) {
  const started = await provider.launch({ sessionId: session('s1'), cwd: world.workspace, ...request }, never);
  if (started.kind === 'unavailable') throw new Error(started.message);
  return started;
}

describe('without sandbox-exec', () => {
  it('says what is missing and what to do', async () => {
    expect(await seatbelt().probe(never)).toEqual({
      provider: 'seatbelt',
      enforcement: 'none',
      message: 'The sandbox needs sandbox-exec, which is not on this system',
      remedy: 'Put /usr/bin/sandbox-exec of macOS back, or use a macOS that has it.',
    });
  });

  it.each(CONFINED_MODES)('runs nothing under %s', async (mode) => {
    const argv = ['touch', join(world.workspace, 'made')] as const;
    const request = { sessionId: session('s1'), policy: world.policy(mode), argv, cwd: '/' };
    expect(await seatbelt().launch(request, never)).toMatchObject({ code: 'SANDBOX_UNAVAILABLE' });
    expect(existsSync(join(world.workspace, 'made'))).toBe(false);
  });

  it('runs what full access asks for', async () => {
    const argv = ['touch', join(world.workspace, 'made')] as const;
    const started = await launched(seatbelt(), { policy: world.policy('danger-full-access'), argv });
    expect([started.enforcement, await started.exited]).toEqual(['none', { exitCode: 0, signal: null }]);
    expect(existsSync(join(world.workspace, 'made'))).toBe(true);
  });
});

it('a sandbox-exec that does not confine is told as one that cannot be used', async () => {
  install('exit 71');
  expect(await seatbelt().probe(never)).toMatchObject({ enforcement: 'none', remedy: expect.any(String) as string });
});

describe('with a sandbox-exec', () => {
  beforeEach(() => install());

  it('says that a part is enforced, and refuses where the settings demand all of it', async () => {
    const provider = seatbelt();
    expect(await provider.probe(never)).toMatchObject({ provider: 'seatbelt', enforcement: 'partial' });
    const policy = world.policy('read-only', { requireEnforcement: 'full' });
    const request = { sessionId: session('s1'), policy, argv: ['true'], cwd: '/' } as const;
    expect(await provider.launch(request, never)).toMatchObject({
      code: 'SANDBOX_UNAVAILABLE',
      remedy: expect.stringContaining('launch.requireEnforcement') as string,
    });
  });

  it('hands it the rules, where each path lies, and the command as it is', async () => {
    const started = await launched(seatbelt(), {
      policy: world.policy('workspace-write'),
      argv: ['echo', '-D', 'a b'],
    });
    const said = new Transcript(started);
    await started.exited;
    await started.close();
    expect(await said.end).toBe('-D a b\n');
    const asked = readFileSync(join(bin, 'asked'), 'utf8');
    expect(asked).toMatch(/^-p\n\(version 1\)\n\(deny default\)/);
    for (const path of [world.workspace, world.home, join(world.home, 'temp/s1')])
      expect(asked).toMatch(new RegExp(`^-DPATH_\\d+=${path}$`, 'm'));
    expect(asked).toMatch(/\n--\necho\n-D\na b\n$/);
  });

  it('gives each Session a temp of its own, which the file tools reach and which is gone with it', async () => {
    const provider = seatbelt();
    const policy = world.policy('read-only');
    const script = 'echo x > "$TMPDIR/made"; echo "$TMPDIR $XDG_CACHE_HOME"; pwd';
    const started = await launched(provider, { policy, argv: ['sh', '-c', script], cwd: '/tmp' });
    const said = new Transcript(started);
    await started.exited;
    await started.close();
    const temp = await provider.tempRoot(session('s1'), policy, never);
    expect(await said.end).toBe(`${temp} ${temp}/.cache\n${temp}\n`);
    expect(readFileSync(join(temp, 'made'), 'utf8')).toBe('x\n');
    expect(await provider.tempRoot(session('s2'), policy, never)).not.toBe(temp);
    await provider.release(session('s1'));
    expect([existsSync(temp), existsSync(join(world.home, 'temp/s2'))]).toEqual([false, true]);
    await provider.close();
    expect(existsSync(join(world.home, 'temp/s2'))).toBe(false);
  });

  it('ends a whole group, deaf ones by force, and says how the leader ended', async () => {
    const script = 'trap "" TERM; sleep 600 & echo $! > child; echo up; wait';
    const started = await launched(seatbelt(), {
      policy: world.policy('read-only'),
      argv: ['sh', '-c', script],
      graceMs: 50,
    });
    const said = new Transcript(started);
    await said.until('up');
    const child = identityOf(Number(readFileSync(join(world.workspace, 'child'), 'utf8')));
    if (!child) throw new Error('The child of the script is not there');
    const phases: string[] = [];
    expect(await started.close((phase) => phases.push(phase))).toEqual({
      ok: true,
      exit: { exitCode: null, signal: 'SIGKILL' },
    });
    expect(phases).toEqual(['asked', 'terminating', 'killing', 'exited', 'released']);
    expect([isAlive(started.identity), isAlive(child)]).toEqual([false, false]);
    expect(await started.closed).toEqual({ exitCode: null, signal: 'SIGKILL' });
  });
});
