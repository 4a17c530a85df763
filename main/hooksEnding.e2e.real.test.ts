import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { aroundLaunch, command, file, program, withClose, type TestSession, type World } from './core.fixture.ts';
import { answering, hook, hookedWorld } from './hooks.fixture.ts';
import { isAlive } from './process/identity.ts';

let world: World;
afterEach(() => world.close());

/** A hook that says when it runs, and then goes on and on. */
const ENDLESS = 'echo run >> runs.txt; sleep 3600';

const runs = async () =>
  (await readFile(join(world.workspace, 'runs.txt'), 'utf8').catch(() => '')).split('\n').length - 1;

/** The hook that runs now, as a preset switch would list it. */
async function running(session: TestSession) {
  await vi.waitFor(async () => expect(await runs()).toBe(1), 15_000);
  const { stopping } = await world.request('preset.preview', { sessionId: session.id, preset: 'read-only' });
  return stopping;
}

const cleanupOf = (what: string) =>
  world.until(
    ({ push, data }) =>
      push === 'cleanup' && data.cleanup.what === what && data.cleanup.phase === 'released' && data.cleanup,
  );

describe('a changed Mode', () => {
  it.each(['direct', 'nested'])(
    'ends the hook of a %s call at once as a Cleanup, and asks again under the new one',
    async (kind) => {
      // The first hook is endless; the next one finds that there was one.
      world = await hookedWorld(
        hook('PreToolUse', `if [ -e runs.txt ]; then echo "$GATEHOUSE_MODE" >&2; exit 2; fi; ${ENDLESS}`, {
          matcher: 'glob',
        }),
      );
      const call =
        kind === 'direct'
          ? { id: 'a', tool: 'glob', input: { pattern: '*' } }
          : program('a', "await tools.glob({ pattern: '*' })");
      const session = await world.turns([[call]]);
      await session.begin();
      const stopping = await running(session);
      const callId = kind === 'direct' ? 'a' : 'a:1';
      const listed = stopping.find(({ what }) => what === 'hook');
      expect(listed).toMatchObject({ id: callId, mode: 'workspace-write' });

      const { seq } = await session.setMode('read-only');
      const cleanup = await cleanupOf('hook');
      expect(cleanup).toMatchObject({ id: callId, mode: 'workspace-write', cause: { kind: 'mode', seq } });
      expect(isAlive({ pid: cleanup.pid ?? 0, startTime: cleanup.startTime ?? '' })).toBe(false);
      await session.idle();
      const ran = await session.of('hook/ran');
      expect(ran[0]).toMatchObject({ callId, reason: 'it was cancelled and ended', exitCode: null, signal: null });
      expect(ran[0]).not.toHaveProperty('decision');
      // A program is cancelled with its calls; a direct call that has not started is judged anew.
      expect(ran.slice(1).map(({ reason }) => reason)).toEqual(kind === 'direct' ? ['read-only'] : []);
      expect(await session.result('a')).toMatchObject(
        kind === 'direct' ? { status: 'refused', code: 'hook-denied' } : { status: 'cancelled', code: 'mode-changed' },
      );
      await session.expectVerified();
    },
  );

  it('ends a hook after a call, and leaves the result as it was', async () => {
    world = await hookedWorld(hook('PostToolUse', ENDLESS));
    const session = await world.turns([[command('a', 'echo done')]]);
    await session.begin();
    await running(session);
    await session.setMode('read-only');
    await cleanupOf('hook');
    await session.idle();
    expect(await session.result('a')).toMatchObject({ status: 'ok', facts: { exitCode: 0, cancelled: false } });
    expect(await session.of('hook/ran')).toHaveLength(1);
  });

  it('withdraws the question of a hook', async () => {
    world = await hookedWorld(hook('PreToolUse', answering({ decision: 'ask' })));
    const session = await world.turns([[file('a', 'write', { path: 'a.txt', content: 'x' })]]);
    await session.begin();
    await session.asked('a');
    await session.setMode('read-only');
    expect(await session.result('a')).toMatchObject({ status: 'cancelled', code: 'mode-changed' });
    await session.idle();
    expect(await session.of('approval/decided')).toMatchObject([{ outcome: 'cancelled', reason: 'mode-changed' }]);
    await session.expectVerified();
  });

  it('has the hook of a prompt asked anew that it has cut off, and no other, before any model sees the prompt', async () => {
    const first = hook('UserPromptSubmit', 'echo "It is Monday."')['UserPromptSubmit'] ?? [];
    const second =
      hook('UserPromptSubmit', `if [ -e runs.txt ]; then exit 0; fi; ${ENDLESS}`)['UserPromptSubmit'] ?? [];
    world = await hookedWorld({ UserPromptSubmit: [...first, ...second] });
    const session = await world.turns([[command('a', 'true')]]);
    await session.begin();
    await running(session);
    expect(await session.types()).not.toContain('step/start');
    await session.setMode('read-only');
    expect(await session.idle()).toBe('completed');
    expect(await session.of('hook/ran')).toMatchObject([
      { exitCode: 0, context: 'It is Monday.' },
      { exitCode: null },
      { exitCode: 0 },
    ]);
  });
});

describe('the end of a hook', () => {
  it('comes with a Stop, which nothing of the turn survives', async () => {
    world = await hookedWorld(hook('PreToolUse', ENDLESS));
    const session = await world.turns([[command('a', 'true')]]);
    await session.begin();
    await running(session);
    await world.request('session.stop', { sessionId: session.id });
    expect(await session.idle()).toBe('aborted');
    expect(await cleanupOf('hook')).toMatchObject({ cause: { kind: 'stop' } });
    expect(await session.of('hook/ran')).toHaveLength(1);
    expect(await session.result('a')).toMatchObject({ status: 'cancelled', code: 'stopped' });
    await session.expectVerified();
  });

  it('comes when its time is up, and a call it was asked about is not let through', async () => {
    world = await hookedWorld(hook('PreToolUse', ENDLESS, { timeout: 0.5 }));
    const session = await world.turns([[file('a', 'write', { path: 'a.txt', content: 'x' })]]);
    expect(await session.one()).toMatchObject({
      status: 'refused',
      code: 'hook-denied',
      content: expect.stringContaining('it took longer than 0.5 s'),
    });
    expect(await cleanupOf('hook')).toMatchObject({ cause: { kind: 'limit' } });
  });

  it('comes when the product closes', async () => {
    world = await hookedWorld(hook('PreToolUse', ENDLESS));
    const session = await world.turns([[command('a', 'true')]]);
    await session.begin();
    await running(session);
    await world.close({ keep: true });
    const log = await session.log();
    await rm(world.folder, { recursive: true });
    expect(world.processes()).toEqual([]);
    expect(log.match(/"type":"hook\/ran"/g)).toHaveLength(1);
  });

  it('may fail: the Cleanup says so, can be tried again, and holds nobody up', async () => {
    let isStuck = true;
    const around = aroundLaunch({
      process: (process) =>
        withClose(process, async (onPhase) =>
          isStuck ? { ok: false, phase: 'killing', error: 'stuck' } : process.close(onPhase),
        ),
    });
    world = await hookedWorld(hook('PreToolUse', ENDLESS), { around });
    const session = await world.turns([[command('a', 'true')]]);
    await session.begin();
    await running(session);
    await world.request('session.stop', { sessionId: session.id });
    expect(await session.idle()).toBe('aborted');
    const { cleanups } = await world.request('cleanup.list', { sessionId: session.id });
    expect(cleanups).toMatchObject([{ what: 'hook', failed: { error: 'stuck' } }]);
    expect(await session.of('hook/ran')).toMatchObject([{ reason: 'it could not be ended: stuck' }]);
    isStuck = false;
    await world.request('cleanup.retry', { cleanupId: cleanups[0]?.cleanupId ?? ('' as never) });
    await cleanupOf('hook');
  });
});
