import { afterEach, expect, it } from 'vitest';
import type { Limits } from '../../app/sandbox/policy.ts';
import { isAlive } from '../process/identity.ts';
import { collect, createWorld, run, runningWith, SETTINGS, start, tempRootOf, type World } from './world.fixture.ts';

const worlds: World[] = [];
afterEach(async () => {
  await Promise.all(worlds.splice(0).map((world) => world.remove()));
});

function world(): World {
  const made = createWorld();
  worlds.push(made);
  return made;
}

async function limited(here: World, limits: Partial<Limits>, script: string) {
  const policy = here.policy('workspace-write', { limits: { ...SETTINGS.limits, ...limits } });
  const process = await start(here, { policy, argv: ['bash', '-c', script] });
  const output = collect(process);
  const exit = await process.exited;
  const { exceeded } = process;
  await process.close();
  return { process, exit, exceeded, output: await output };
}

/** Holds so many MiB and says nothing. */
const hold = (mebibytes: number) => `perl -e '$x = "x" x (${mebibytes} << 20); sleep 300'`;

it('PTC-9: ends a tree whose processes have too much memory together, though none has by itself', async () => {
  const here = world();
  const hog = `for i in 1 2 3; do ${hold(120)} ${here.base}/hog & done; wait`;
  const { process, exit, exceeded } = await limited(here, { memoryBytes: 300 * 2 ** 20 }, hog);
  expect({ exit, exceeded }).toEqual({ exit: { exitCode: null, signal: 'SIGKILL' }, exceeded: 'memory' });
  expect(isAlive(process.identity)).toBe(false);
  expect(runningWith(`${here.base}/hog`)).toEqual([]);
});

it('counts memory that processes share once', async () => {
  const here = world();
  // Forked after it was filled: each of the four has all of it, and it is there once.
  const shared = `perl -e '$x = "x" x (120 << 20); for (1 .. 3) { fork or last } select undef, undef, undef, 3'`;
  const { exceeded, exit } = await limited(here, { memoryBytes: 300 * 2 ** 20 }, shared);
  expect({ exceeded, exitCode: exit.exitCode }).toEqual({ exceeded: undefined, exitCode: 0 });
});

it('ends a fork bomb at its limit of processes, whoever the app runs as', async () => {
  const here = world();
  const bomb = `while :; do tail -f /dev/null ${here.base}/bomb & done 2>/dev/null`;
  const { exit, exceeded } = await limited(here, { processes: 60 }, bomb);
  expect({ signal: exit.signal, exceeded }).toEqual({ signal: 'SIGKILL', exceeded: 'process' });
  expect(runningWith(`${here.base}/bomb`)).toEqual([]);
});

it('leaves a command that fills the temp its own end, and says that the temp was full at it', async () => {
  const here = world();
  const { exit, exceeded, output } = await limited(here, {}, 'head -c 20000000 /dev/zero > /tmp/fill || exit 7');
  expect({ exit, exceeded }).toEqual({ exit: { exitCode: 7, signal: null }, exceeded: 'temp' });
  expect(output).toContain('No space left on device');
  for (const script of ['true', 'exit 3', 'rm /tmp/fill']) {
    expect((await limited(here, {}, script)).exceeded).toBeUndefined();
  }
});

it('says nothing of a limit where none was met', async () => {
  const here = world();
  const policy = here.policy('read-only');
  const process = await start(here, { policy, argv: ['false'] });
  expect(await process.tempIsFull()).toBe(false);
  await process.close();
  expect(process.exceeded).toBeUndefined();
  expect(await tempRootOf(here, policy)).toContain('/proc/');
  expect(await run(here, { policy, argv: ['true'] })).toMatchObject({ exitCode: 0 });
});
