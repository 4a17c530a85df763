import { existsSync, statSync } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Cancelled } from '../../app/base/cancel.ts';
import { isAlive } from '../process/identity.ts';
import { Barrier } from './barrier.fixture.ts';
import type { Timers } from './timers.ts';
import { realTimers } from './timers.ts';
import { NEVER, World, type TestSession } from './world.fixture.ts';

let world: World;
let barrier: Barrier;
let session: TestSession;
beforeEach(async () => {
  barrier = new Barrier();
  world = await World.open({ around: (real) => barrier.around(real) });
  session = await world.session();
});
afterEach(() => world.close());

/** A program that appends to a file for ever, with a child that does the same; resolves when both have begun. */
async function startGrowing(of: TestSession): Promise<readonly string[]> {
  const code = `const fs = require('node:fs');
    setInterval(() => fs.appendFileSync('timer', 'x'), 1);
    require('node:child_process').spawn('sh', ['-c', 'while :; do echo x >> child; done'], { stdio: 'ignore', detached: true });
    while (!fs.existsSync('timer') || !fs.existsSync('child')) await new Promise((r) => setTimeout(r, 1));`;
  await of.run(code);
  return ['timer', 'child'].map((name) => join(of.workspace, name));
}

describe('a retained Environment', () => {
  it('RET-1: keeps a variable for the next program', async () => {
    await session.run('const kept = { deep: [1] }');
    expect(await session.value('kept')).toEqual({ deep: [1] });
  });

  it('RET-2: cannot write under read-only, with what Node itself offers', async () => {
    session.setMode('read-only');
    const code = 'try { require("node:fs").writeFileSync("file", "x"); "written" } catch (e) { e.code }';
    expect(await session.value(code)).toBe('EROFS');
    expect(existsSync(join(session.workspace, 'file'))).toBe(false);
  });

  it('RET-3: loses the variable when the mode is switched and switched back', async () => {
    await session.run('let gone = 1');
    session.setMode('read-only');
    session.setMode('workspace-write');
    expect(await session.value('typeof gone')).toBe('undefined');
  });

  it('RET-4: keeps the variable when the same mode is set again, also as the first explicit event', async () => {
    await session.run('let stays = 1');
    session.setMode('workspace-write');
    session.setMode('workspace-write');
    session.journal.append({ type: 'approval/policy', data: { policy: 'never' } });
    expect(await session.value('stays')).toBe(1);
    expect(world.cleanups.list()).toEqual([]);
  });

  it('RET-5: stops its timers and children when the mode is switched, with no further call', async () => {
    const files = await startGrowing(session);
    const [retained] = barrier.launched;
    session.setMode('read-only');
    const [cleanup] = world.cleanups.list();
    await expect.poll(() => world.cleanups.list()[0]?.phase).toBe('released');
    const sizes = files.map((file) => statSync(file).size);
    expect(retained && isAlive(retained.identity)).toBe(false);
    expect(cleanup).toMatchObject({
      what: 'environment',
      mode: 'workspace-write',
      cause: { kind: 'mode', seq: expect.any(Number) },
    });
    // A later process of the same Session comes and goes; the files are as they were.
    await session.run('1');
    expect(files.map((file) => statSync(file).size)).toEqual(sizes);
  });

  it('RET-6: lets a switch return at once while its cleanup is held, with the new mode recorded', async () => {
    await session.run('let v = 1');
    const release = barrier.holdCloses();
    session.setMode('read-only');
    expect(session.mode).toBe('read-only');
    expect(world.cleanups.list()).toMatchObject([{ phase: 'asked', cause: { kind: 'mode' } }]);
    expect(barrier.launched.map(({ identity }) => isAlive(identity))).toEqual([true]);
    release();
  });

  it('RET-7: makes the next program wait for its cleanup, and a policy that changed meanwhile is resolved again', async () => {
    await session.run('let v = 1');
    const release = barrier.holdCloses();
    session.setMode('read-only');
    const waiting = session.environments.acquire(await session.request(), NEVER);
    session.setMode('danger-full-access');
    expect(barrier.launched).toHaveLength(1);
    release();
    expect(await waiting).toMatchObject({ kind: 'key-conflict' });
    expect((await session.acquire()).mode).toBe('danger-full-access');
    expect(barrier.launched.map(({ identity }) => isAlive(identity))).toEqual([false, true]);
  });

  it('RET-10: whose cleanup failed once is ended by the next call, and is never used again', async () => {
    await session.run('let v = 1');
    barrier.failCloses(1);
    session.setMode('read-only');
    await expect.poll(() => world.cleanups.list()[0]?.failed).toEqual({ error: 'it would not die' });
    const next = await session.acquire();
    expect(next.process).not.toEqual(barrier.launched[0]?.identity);
    expect(barrier.launched.map(({ identity }) => isAlive(identity))).toEqual([false, true]);
    expect(world.cleanups.list()).toMatchObject([{ phase: 'released', attempts: 2 }]);
    expect(session.mode).toBe('read-only');
    expect(session.journal.types().filter((type) => type.startsWith('environment/'))).toEqual([
      'environment/started',
      'environment/ended',
      'environment/started',
    ]);
  });

  it('RET-10: whose cleanup fails twice lets nothing run, until a person retries it', async () => {
    await session.run('let v = 1');
    barrier.failCloses(2);
    session.setMode('read-only');
    const refused = await session.environments.acquire(await session.request(), NEVER);
    const [cleanup] = world.cleanups.list();
    expect(refused).toEqual({
      kind: 'cleanup-failed',
      code: 'CLEANUP_FAILED',
      cleanupId: cleanup?.cleanupId,
      pid: barrier.launched[0]?.identity.pid,
      phase: 'killing',
      error: 'it would not die',
    });
    expect(barrier.launched).toHaveLength(1);
    await (cleanup && world.cleanups.retry(cleanup.cleanupId));
    expect(await session.value('typeof v')).toBe('undefined');
  });

  it('does not hold up another Session while its cleanup is held', async () => {
    const other = await world.session('s_other');
    await session.run('1');
    const release = barrier.holdCloses();
    session.setMode('read-only');
    expect(await other.value('"free"')).toBe('free');
    release();
  });

  it('RET-14: is refused to the same owner with another policy and no event', async () => {
    await session.run('let v = 1');
    const refused = await session.environments.acquire(await session.request({ mode: 'read-only' }), NEVER);
    expect(refused).toMatchObject({ kind: 'key-conflict' });
    expect(await session.value('v')).toBe(1);
  });

  it('RET-14: is refused when the workspace is another folder by the same name', async () => {
    await session.run('1');
    await rename(session.workspace, `${session.workspace}-before`);
    await mkdir(session.workspace);
    expect(await session.environments.acquire(await session.request(), NEVER)).toMatchObject({ kind: 'key-conflict' });
    await rm(`${session.workspace}-before`, { recursive: true });
  });

  it('is another one for each owner', async () => {
    await session.run('let v = 1', { owner: 'one' });
    expect(await session.value('typeof v', { owner: 'two' })).toBe('undefined');
    expect(session.environments.list().map(({ retained }) => retained)).toEqual([true, true]);
  });

  it('is ended by changed settings, and the same digest again changes nothing', async () => {
    session.journal.append({ type: 'sandbox/settings', data: { digest: 'a' } });
    await session.run('let v = 1');
    session.journal.append({ type: 'sandbox/settings', data: { digest: 'a' } });
    expect(await session.value('v')).toBe(1);
    session.journal.append({ type: 'sandbox/settings', data: { digest: 'b' } });
    expect((await session.acquire()).lost).toEqual({ reason: 'settings-changed' });
  });

  it('is ended by a reset, which is told to the next program', async () => {
    await session.run('let v = 1');
    await session.environments.reset();
    expect(barrier.launched.map(({ identity }) => isAlive(identity))).toEqual([false]);
    const next = await session.acquire();
    expect(next.lost).toEqual({ reason: 'reset' });
    expect(await session.runIn(next, 'typeof v')).toMatchObject({ value: 'undefined' });
  });

  it('ends with its program when the mode is switched, and the program says why', async () => {
    const environment = await session.acquire();
    const call = () => (session.setMode('read-only'), new Promise<never>(() => undefined));
    const completion = await session.runIn(environment, 'console.log("before"); await tools.hang(0)', {
      bridge: { call },
    });
    expect(completion).toMatchObject({ kind: 'lost', reason: 'mode-changed', kept: false, logs: { text: 'before\n' } });
    expect(isAlive(environment.process)).toBe(false);
    expect(session.journal.events.at(-1)).toMatchObject({
      type: 'environment/ended',
      data: { reason: 'mode-changed', cleanupId: world.cleanups.list()[0]?.cleanupId },
    });
  });

  it('that is being started when the mode is switched never runs anything', async () => {
    const release = barrier.holdLaunches();
    const starting = session.environments.acquire(await session.request(), NEVER);
    await expect.poll(() => barrier.launched.length).toBe(1);
    session.setMode('read-only');
    release();
    expect(await starting).toMatchObject({ kind: 'key-conflict' });
    expect(await session.environments.settled(NEVER)).toBeUndefined();
    expect(barrier.launched.map(({ identity }) => isAlive(identity))).toEqual([false]);
  });

  it('that is waited for can be given up', async () => {
    await session.run('1');
    const release = barrier.holdCloses();
    session.setMode('read-only');
    const controller = new AbortController();
    const waiting = session.environments.settled(controller.signal);
    controller.abort(new Cancelled({ kind: 'stopped', by: 'person' }));
    await expect(waiting).rejects.toThrow(Cancelled);
    release();
  });
});

describe('a temporary Environment', () => {
  it('is gone when its release resolves, and the retained one is as it was', async () => {
    await session.run('let standing = 1');
    const escalated = await session.acquire({ owner: null, mode: 'danger-full-access' });
    const code = 'var own = 1; require("node:fs").writeFileSync("../outside", "x"); typeof standing';
    expect(await session.runIn(escalated, code)).toMatchObject({ kind: 'value', value: 'undefined' });
    expect(escalated).toMatchObject({ retained: false, mode: 'danger-full-access' });
    const released = await escalated.release();
    expect(isAlive(escalated.process)).toBe(false);
    expect(released).not.toHaveProperty('error');
    expect(await session.value('[standing, typeof own]')).toEqual([1, 'undefined']);
    expect(world.cleanups.list()).toMatchObject([{ cause: { kind: 'escalation' }, phase: 'released' }]);
  });

  it('is ended by a switch of the standing mode, whatever its own is', async () => {
    const escalated = await session.acquire({ owner: null, mode: 'danger-full-access' });
    session.setMode('read-only');
    expect(await session.environments.settled(NEVER)).toBeUndefined();
    expect(isAlive(escalated.process)).toBe(false);
  });

  it('tells that its release failed', async () => {
    const environment = await session.acquire({ owner: null });
    barrier.failCloses(1);
    expect(await environment.release()).toEqual({ exitCode: null, signal: null, error: 'it would not die' });
  });
});

describe('the provider', () => {
  it('RET-15, PTC-20: aborts the program, and leaves no process, observer or listed item, when it is unloaded meanwhile', async () => {
    const reached = Promise.withResolvers<void>();
    const call = () => (reached.resolve(), new Promise<never>(() => undefined));
    const running = session.run('setInterval(() => {}, 1); await tools.hang(0)', { bridge: { call } });
    await reached.promise;
    const observers = session.journal.observers;
    await world.nodes.close();
    expect(await running).toMatchObject({ kind: 'lost', reason: 'abort' });
    expect(barrier.launched.map(({ identity }) => isAlive(identity))).toEqual([false]);
    // One of the policy, and one of calls.
    expect(session.journal.observers).toBe(observers - 2);
    expect(world.started.list(session.id)).toEqual([]);
    expect(world.cleanups.list()).toMatchObject([{ cause: { kind: 'unload' }, phase: 'released' }]);
    await expect(session.acquire()).rejects.toThrow('closed');
  });

  it('RET-15: ends what is being started when it is closed', async () => {
    const release = barrier.holdLaunches();
    const starting = session.environments.acquire(await session.request(), NEVER);
    await expect.poll(() => barrier.launched.length).toBe(1);
    const closing = world.nodes.close();
    release();
    expect(await starting).toMatchObject({ kind: 'key-conflict' });
    await closing;
    expect(barrier.launched.map(({ identity }) => isAlive(identity))).toEqual([false]);
  });

  it('lists what lives, and tells what begins and ends', async () => {
    const told: string[] = [];
    world.nodes.observe(({ change, reason }) => void told.push(reason ? `${change} ${reason}` : change));
    await session.run('let named = 1');
    const [row] = session.environments.list();
    expect(row).toEqual({
      ...barrier.launched[0]?.identity,
      id: expect.stringMatching(/^e_/),
      sessionId: session.id,
      mode: 'workspace-write',
      enforcement: barrier.launched[0]?.enforcement,
      retained: true,
      idle: true,
      variables: ['named'],
    });
    expect(world.started.list(session.id)).toMatchObject([
      { what: 'environment', id: row?.id, mode: 'workspace-write' },
    ]);
    await session.environments.reset();
    expect(session.environments.list()).toEqual([]);
    expect(told).toEqual(['started', 'busy', 'idle', 'ended reset']);
  });
});

describe('an idle Environment', () => {
  it('is ended at the idle limit, which a program in between puts off', async () => {
    const clock = new ManualIdle();
    const idle = await World.open({ timers: clock, budgets: { idleMs: IDLE } });
    try {
      const one = await idle.session();
      await one.run('let v = 1');
      const first = clock.latest;
      await one.run('v');
      expect(clock.latest).not.toBe(first);
      expect(clock.isPending(first)).toBe(false);
      clock.latest?.();
      expect((await one.acquire()).lost).toEqual({ reason: 'idle' });
      expect(idle.cleanups.list()).toMatchObject([{ cause: { kind: 'idle' } }]);
    } finally {
      await idle.close();
    }
  });
});

const IDLE = 123_456;

/** The real clock, but for the idle limit, which passes when a test says so. */
class ManualIdle implements Timers {
  readonly #pending = new Set<() => void>();
  latest: (() => void) | undefined;

  now(): number {
    return realTimers.now();
  }

  after(ms: number, job: () => void): () => void {
    if (ms !== IDLE) return realTimers.after(ms, job);
    this.#pending.add(job);
    this.latest = job;
    return () => void this.#pending.delete(job);
  }

  isPending(job: (() => void) | undefined): boolean {
    return job !== undefined && this.#pending.has(job);
  }
}
