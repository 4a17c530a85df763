import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { loadLocks } from '../native.ts';
import { holdInstance, type Instance } from './instances.ts';

let folder: string;
let held: Instance[];
let processes: ChildProcess[];
beforeEach(async () => {
  folder = join(await mkdtemp(join(tmpdir(), 'gatehouse-instances-')), 'instances');
  held = [];
  processes = [];
});
afterEach(async () => {
  for (const process of processes) await kill(process);
  for (const instance of held) await instance.close();
  await rm(join(folder, '..'), { recursive: true, force: true });
});

async function hold(instance: string): Promise<Instance> {
  const holder = { instance, pid: process.pid, startTime: '1', since: 1 };
  const taken = await holdInstance(folder, { holder, locks: loadLocks() });
  held.push(taken);
  return taken;
}

/** Another process that holds an instance until it is killed. */
async function otherProcess(instance: string): Promise<ChildProcess> {
  const script = `
    import { holdInstance } from ${JSON.stringify(join(import.meta.dirname, 'instances.ts'))};
    import { loadLocks } from ${JSON.stringify(join(import.meta.dirname, '../native.ts'))};
    const holder = { instance: '${instance}', pid: process.pid, startTime: '2', since: 2 };
    await holdInstance(${JSON.stringify(folder)}, { holder, locks: loadLocks() });
    console.log('ready');
    setInterval(() => undefined, 60_000);`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  processes.push(child);
  if (child.stdout) await once(child.stdout, 'data');
  return child;
}

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGKILL');
  await once(child, 'exit');
}

describe('instances', () => {
  it('shows as dead exactly the processes that ended without saying so', async () => {
    const own = await hold('i_own');
    const [living, dying] = [await otherProcess('i_living'), await otherProcess('i_dying')];
    expect(await own.dead()).toEqual([]);
    await kill(dying);
    const dead = await own.dead();
    expect(dead).toMatchObject([{ id: 'i_dying', holder: { pid: dying.pid, startTime: '2' } }]);
    for (const instance of dead) await instance.forget();
    expect(await own.dead()).toEqual([]);
    expect((await readdir(folder)).toSorted()).toEqual(['i_living.lock', 'i_own.lock']);
    expect(living.signalCode).toBeNull();
  });

  it('gives a dead one to one of two that look for it, and to the other after it was let go', async () => {
    const [one, two] = [await hold('i_one'), await hold('i_two')];
    await kill(await otherProcess('i_dead'));
    const [found] = await one.dead();
    expect(await two.dead()).toEqual([]);
    await found?.release();
    const [again] = await two.dead();
    expect(again).toMatchObject({ id: 'i_dead' });
    await again?.forget();
  });

  it('takes its mark away when it leaves, once', async () => {
    const own = await hold('i_own');
    expect(own.close()).toBe(own.close());
    await own.close();
    expect(await readdir(folder)).toEqual([]);
  });
});
