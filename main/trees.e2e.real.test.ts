import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ControlClient, sessionOver } from './controlClient.fixture.ts';
import { command, createWorld, goneWithin, processesOf, type World } from './core.fixture.ts';
import { readProc, signalTo } from './process/identity.ts';
import { processTable } from './process/tree.ts';
import { until } from './process/until.ts';

// Whole cores start, and what is asked to end may take its grace.
vi.setConfig({ testTimeout: 60_000 });

const MODES = ['workspace-write', 'danger-full-access'] as const;

let world: World;
beforeEach(async () => (world = await createWorld()));
afterEach(() => world.close());

/** How many processes of this machine were started with this variable. */
const marked = (marker: string): number =>
  Array.from(processTable().keys()).filter((pid) => readProc(pid, 'environ')?.includes(`CASE_MARK=${marker}`)).length;
const within = async (check: () => boolean): Promise<void> => expect(await until(check, 30_000)).toBe(true);

describe.each(MODES)('4-a: a tree under %s', (preset) => {
  /** The marker, how many carry it at least, and a command. */
  type Tree = readonly [marker: string, count: number, shell: string];
  const trees = (marker: string): readonly Tree[] => [
    [`${marker}-two`, 2, `export CASE_MARK=${marker}-two; sleep 300 & (sleep 300 & wait) & wait`],
    [`${marker}-four`, 4, `export CASE_MARK=${marker}-four; for i in 1 2 3 4; do sleep 300 & done; wait`],
  ];

  it('is gone when its call is cancelled, which has one end, and the Session is idle', async () => {
    const cancel = async ([marker, count, shell]: Tree) => {
      const session = await world.turns([[command('a', shell)]], { preset });
      await session.begin();
      await within(() => marked(marker) >= count);
      const left = leftAtEnd(session.id, marker);
      await world.request('session.stop', { sessionId: session.id });
      expect([marker, await left]).toEqual([marker, 0]);
      expect(await session.idle()).toBe('aborted');
      expect(await session.of('tool/result')).toMatchObject([{ callId: 'a', status: 'cancelled', code: 'stopped' }]);
      expect((await session.view()).turn).toBeUndefined();
    };
    await Promise.all(trees(`cancel-${preset}`).map(cancel));
  });

  it('is gone when its time is up, which is told as such once, and the turn goes on', async () => {
    const expire = async ([marker, count, shell]: Tree) => {
      const session = await world.turns([[command('a', shell, { timeoutMs: 6_000 })]], { preset });
      await session.begin();
      await within(() => marked(marker) >= count);
      expect([marker, await leftAtEnd(session.id, marker)]).toEqual([marker, 0]);
      expect(await session.idle()).toBe('completed');
      expect(await session.of('tool/result')).toMatchObject([
        { callId: 'a', status: 'failed', code: 'timeout', facts: { timedOut: true, cancelled: false } },
      ]);
    };
    await Promise.all(trees(`timeout-${preset}`).map(expire));
  });
});

/** How many of a tree are alive in the moment in which the end of its call is told. */
async function leftAtEnd(sessionId: string, marker: string): Promise<number> {
  const ended = await world.until(
    ({ push, data }) =>
      push === 'event' && data.sessionId === sessionId && data.event.type === 'tool/result' && { left: marked(marker) },
  );
  return ended.left;
}

describe('4-c: a process that is deaf to TERM, INT and HUP', () => {
  const deaf = (marker: string) =>
    `CASE_MARK=${marker} exec sh -c "trap '' TERM INT HUP; echo up; while :; do sleep 0.05; done"`;

  it.each(MODES)('is shown as stopping under %s, then killed, and its call ends once', async (preset) => {
    const session = await world.turns([[command('a', deaf(`deaf-${preset}`))]], { preset });
    await session.begin();
    // What it prints is read when its start is over: a stop would cancel that otherwise.
    await world.until(({ push, data }) => push === 'output' && data.text === 'up\n');
    const asked = performance.now();
    await world.request('session.stop', { sessionId: session.id });
    const stopping = await world.until(
      ({ push, data }) =>
        push === 'cleanup' && data.cleanup.id === 'a' && data.cleanup.phase === 'terminating' && data.cleanup,
    );
    expect(stopping).toMatchObject({ what: 'command', sessionId: session.id, cause: { kind: 'stop' } });
    expect(marked(`deaf-${preset}`)).toBeGreaterThanOrEqual(1);
    expect((await session.view()).cleanups).toMatchObject([{ id: 'a' }]);
    expect(await session.result('a')).toMatchObject({ status: 'cancelled', code: 'stopped' });
    expect(performance.now() - asked).toBeGreaterThan(2_500);
    expect(marked(`deaf-${preset}`)).toBe(0);
    expect(await session.idle()).toBe('aborted');
    expect(await session.of('tool/result')).toHaveLength(1);
    expect((await session.view()).cleanups).toEqual([]);
  });

  it.each(MODES)(
    'does not outlive an app that is quit while it is being stopped under %s, nor hold it',
    async (preset) => {
      const folder = await mkdtemp('/var/tmp/gatehouse-quit-');
      const client = new ControlClient(join(folder, 'home'));
      try {
        const shell = `${deaf(`quit-${preset}`)} # ${folder}`;
        const sessionId = await sessionOver(client, { folder, preset, calls: [command('a', shell)] });
        await client.request('session.prompt', { sessionId, text: 'Go' });
        await client.until(() => client.pushes.some(({ push, data }) => push === 'output' && data.text === 'up\n'));
        await client.request('session.stop', { sessionId });
        const stops = () =>
          client.pushes.some(({ push, data }) => push === 'cleanup' && data.cleanup.phase === 'terminating');
        await client.until(stops);
        const asked = performance.now();
        expect(await client.end()).toBe(0);
        // The grace began before it was asked: quitting gives it no second one.
        expect(performance.now() - asked).toBeLessThan(20_000);
        expect([marked(`quit-${preset}`), await goneWithin(folder, 5_000)]).toEqual([0, []]);
        const log = await readFile(join(folder, 'home', 'sessions', sessionId, 'session.jsonl'), 'utf8');
        const ends = log.split('\n').filter((line) => line.includes('"type":"tool/result"'));
        expect(ends).toHaveLength(1);
        expect(ends[0]).toContain('"status":"cancelled"');
      } finally {
        client.destroy();
        for (const left of processesOf(folder)) signalTo(left, 'SIGKILL');
        await rm(folder, { recursive: true, force: true });
      }
    },
  );
});

describe('4-f: a cancelled turn whose command had children that hold its pipes', () => {
  it.each(MODES)('is over for good under %s: nothing writes any more, and a new prompt is taken', async (preset) => {
    const writer = 'while :; do echo a >> f; sleep 0.02; done';
    const shell = `export CASE_MARK=busy-${preset}; sh -c '${writer}' & setsid sh -c '${writer}' & wait`;
    const answers = [{ calls: [command('a', shell)] }, { calls: [command('b', 'echo b >> f')] }, { text: 'Done.' }];
    const session = await world.session(answers, { preset });
    await session.begin();
    await within(() => marked(`busy-${preset}`) >= 2 && existsSync(join(world.workspace, 'f')));
    await world.request('session.stop', { sessionId: session.id });
    expect(await session.idle()).toBe('aborted');
    const other = await world.turns([[command('c', 'echo c >> f')]], { preset });
    expect(await other.one()).toMatchObject({ status: 'ok', facts: { exitCode: 0 } });
    expect(await session.one()).toMatchObject({ callId: 'b', status: 'ok', facts: { exitCode: 0 } });
    const lines = (await readFile(join(world.workspace, 'f'), 'utf8')).trimEnd().split('\n');
    expect(lines.slice(lines.lastIndexOf('a') + 1)).toEqual(['c', 'b']);
  });
});
