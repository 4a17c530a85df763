import { rename, writeFile } from 'node:fs/promises';
import { Socket } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Environment } from '../../app/ptc/nodeProvider.ts';
import { isAlive } from '../process/identity.ts';
import { processTable } from '../process/tree.ts';
import type { ConfinedProcess } from '../sandbox/confined.ts';
import { Barrier } from './barrier.fixture.ts';
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

const once = (of = session) => of.run('1 + 1', { owner: null });
const spares = (of = session) => world.started.list(of.id).filter(({ title }) => title === 'spare environment');
/** Bytes that came over its channel: the first are the kernel's word that it is there. */
const heardOf = (process: ConfinedProcess | undefined): number => {
  const [channel] = process?.channels ?? [];
  return channel instanceof Socket ? channel.bytesRead : 0;
};
/** A spare whose kernel answers: only such a one is handed out at once. */
async function warm(of = session) {
  await once(of);
  await vi.waitFor(() => expect(spares(of)).toHaveLength(1), 10_000);
  const [spare] = spares(of);
  await vi.waitFor(() => expect(heardOf(barrier.launched.at(-1))).toBeGreaterThan(0), 10_000);
  if (!spare?.process) throw new Error('A spare without a process');
  return { ...spare, process: spare.process };
}
/** What was ended since then besides the temporary Environment that made the spare. */
const ended = () => world.cleanups.list(session.id).slice(1);
/** The kernel below the process whose end is the end of all. */
function childOf(parent: number): number {
  const child = [...processTable().values()].find((row) => row.parent === parent);
  if (!child) throw new Error('It has no child');
  return child.pid;
}
const idsOf = (type: string) =>
  session.journal.events.flatMap((event) =>
    event.type === type && 'environmentId' in event.data ? event.data.environmentId : [],
  );

describe('a spare', () => {
  it('is there after a temporary call, not before, and the log and the list of Environments do not know of it', async () => {
    await session.value('1');
    expect(barrier.launched).toHaveLength(1);
    const { id } = await warm();
    expect(barrier.launched).toHaveLength(3);
    expect(session.environments.list()).toHaveLength(1);
    expect(idsOf('environment/started')).not.toContain(id);
  });

  it.each([
    ['temporary', null],
    ['retained', 'agent'],
  ])('becomes the next %s Environment, which is recorded then, with its own pid', async (_name, owner) => {
    const { id, process } = await warm();
    const environment = await session.acquire({ owner });
    expect(environment).toMatchObject({ id, process, retained: owner !== null });
    expect(session.journal.events.at(-1)).toMatchObject({
      type: 'environment/started',
      data: { environmentId: id, ...process, retained: owner !== null },
    });
    expect(world.started.list(session.id)).toMatchObject([
      { id, process, title: owner === null ? 'one-time program' : 'retained environment' },
    ]);
    expect(barrier.launched).toHaveLength(2);
    expect(await session.runIn(environment, 'typeof tools.echo')).toMatchObject({ kind: 'value', value: 'function' });
    await environment.release();
    expect(isAlive(environment.process)).toBe(false);
    expect(session.journal.events.filter(({ type }) => type.startsWith('environment/'))).toHaveLength(4);
  });

  it('that became temporary is not stopped softly, and one that became retained is', async () => {
    const stopped = async (owner: string | null) => {
      const controller = new AbortController();
      const call = async () => (setImmediate(() => controller.abort()), { ok: true, value: 0 } as const);
      return session.run('void tools.echo(0); for (;;) {}', { owner, signal: controller.signal, bridge: { call } });
    };
    await warm();
    expect(await stopped(null)).toMatchObject({ kind: 'lost', reason: 'abort' });
    world.budgets = { stopMs: 10_000 };
    await vi.waitFor(() => expect(spares()).toHaveLength(1), 10_000);
    expect(await stopped('agent')).toMatchObject({ kind: 'stopped', kept: true });
  });

  it('is ended at the commit of a changed Mode as a Cleanup, and the next program waits for that', async () => {
    const { id, process } = await warm();
    const release = barrier.holdCloses();
    session.setMode('read-only');
    expect(ended()).toMatchObject([{ what: 'environment', id, pid: process.pid, cause: { kind: 'mode' } }]);
    const next = session.acquire();
    let acquired: Environment | undefined;
    void next.then((environment) => (acquired = environment));
    await session.environments.settled(AbortSignal.timeout(50)).catch(() => undefined);
    expect(acquired).toBeUndefined();
    release();
    expect((await next).mode).toBe('read-only');
    expect(isAlive(process)).toBe(false);
    expect(ended()).toMatchObject([{ id, phase: 'released' }]);
    expect(idsOf('environment/ended')).not.toContain(id);
  });

  it('that is still starting when the Mode changes is waited for and ended', async () => {
    const release = barrier.holdLaunches();
    const running = once();
    await vi.waitFor(() => expect(barrier.launched).toHaveLength(1), 10_000);
    release();
    const hold = barrier.holdLaunches();
    await running;
    await vi.waitFor(() => expect(barrier.launched).toHaveLength(2), 10_000);
    session.setMode('read-only');
    const settled = session.environments.settled(NEVER);
    hold();
    expect(await settled).toBeUndefined();
    expect(barrier.launched.map(({ identity }) => isAlive(identity))).toEqual([false, false]);
  });

  it('whose end fails is a failure of the next program, which runs nothing', async () => {
    const { id } = await warm();
    barrier.failCloses(2);
    session.setMode('read-only');
    expect(await session.environments.acquire(await session.request(), NEVER)).toMatchObject({
      kind: 'cleanup-failed',
    });
    expect((await session.acquire()).mode).toBe('read-only');
    expect(ended()).toMatchObject([{ id, phase: 'released' }]);
  });

  it('serves no escalated call, and an escalated call makes none', async () => {
    session.setMode('read-only');
    const escalated = { owner: null, mode: 'workspace-write' } as const;
    await session.run('1', escalated);
    expect(spares()).toEqual([]);
    const { id } = await warm();
    const environment = await session.acquire(escalated);
    expect(environment.id).not.toBe(id);
    await environment.release();
    expect(spares()).toMatchObject([{ id }]);
  });

  it('never serves a workspace that was made anew: it is gone before another one starts', async () => {
    const { id, process } = await warm();
    await rename(session.workspace, `${session.workspace}-old`);
    await world.session();
    const environment = await session.acquire();
    expect(environment.id).not.toBe(id);
    expect(isAlive(process)).toBe(false);
  });

  it('never serves a call when something has appeared since that is to be hidden', async () => {
    const secret = join(session.workspace, 'secret');
    session.hide = [secret];
    const { id, process } = await warm();
    await writeFile(secret, 'x');
    const environment = await session.acquire();
    expect(environment.id).not.toBe(id);
    expect(isAlive(process)).toBe(false);
    const read = 'try { require("fs").readFileSync("secret", "utf8") } catch (fault) { fault.code }';
    expect(await session.runIn(environment, read)).toMatchObject({ value: 'EACCES' });
  });

  it.each([
    ['died', (pid: number) => process.kill(childOf(pid), 'SIGKILL')],
    ['does not answer', (pid: number) => process.kill(childOf(pid), 'SIGSTOP')],
  ])('that %s is replaced without a word', async (_name, harm) => {
    const { id, process: spare } = await warm();
    harm(spare.pid);
    const environment = await session.acquire({ owner: null });
    expect(environment.id).not.toBe(id);
    expect(await session.runIn(environment, '1')).toMatchObject({ kind: 'value' });
    expect(isAlive(spare)).toBe(false);
    expect(idsOf('environment/ended')).toHaveLength(1);
    expect(world.cleanups.list(session.id).filter(({ failed }) => failed)).toEqual([]);
  });

  it('is one for all Sessions: one that was just made stays with its own', async () => {
    const { id } = await warm();
    const other = await world.session('s_other');
    await once(other);
    expect(spares(other)).toEqual([]);
    expect(spares()).toMatchObject([{ id }]);
    expect(barrier.launched).toHaveLength(3);
  });

  it('survives neither its Session nor its provider', async () => {
    const { process } = await warm();
    await session.environments.close();
    expect(isAlive(process)).toBe(false);
    const other = await world.session('s_other');
    const { process: second } = await warm(other);
    await world.nodes.close();
    expect(isAlive(second)).toBe(false);
    expect(spares(other)).toEqual([]);
  });

  it('that is still starting does not survive its provider', async () => {
    await once();
    await world.nodes.close();
    expect(barrier.launched.filter(({ identity }) => isAlive(identity))).toEqual([]);
  });
});

describe('a spare that nobody needs', () => {
  it('is gone after the idle limit in force', async () => {
    world.budgets = { idleMs: 50 };
    await once();
    await vi.waitFor(
      () =>
        expect(world.cleanups.list(session.id)).toMatchObject([
          {},
          { title: 'spare environment', phase: 'released', cause: { kind: 'idle' } },
        ]),
      10_000,
    );
    expect(spares()).toEqual([]);
  });
});
