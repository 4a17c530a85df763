import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { aroundLaunch, command, createWorld, withClose, type World } from './core.fixture.ts';
import { isAlive, readProc } from './process/identity.ts';
import type { ConfinedProcess, Confiner } from './sandbox/confined.ts';

let world: World;
afterEach(() => world.close());

/** A Provider whose launches of a shell have come up, and are handed over when the test lets them. */
function gated() {
  const cameUp = Promise.withResolvers<ConfinedProcess>();
  const handOver = Promise.withResolvers<void>();
  const around = (real: Confiner): Confiner => ({
    ...aroundLaunch({})(real),
    launch: async (request, signal) => {
      const started = await real.launch(request, signal);
      if (started.kind === 'unavailable' || request.argv[0] !== 'sh') return started;
      cameUp.resolve(started);
      await handOver.promise;
      return started;
    },
  });
  return { around, cameUp: cameUp.promise, handOver: () => handOver.resolve() };
}

const released = () =>
  world.until(
    ({ push, data }) =>
      push === 'cleanup' && data.cleanup.what === 'command' && data.cleanup.phase === 'released' && data.cleanup,
  );

describe.each(['workspace-write', 'danger-full-access'])('a command under %s', (preset) => {
  it.each(['a switch', 'a Stop'])(
    'has done nothing when %s comes while it starts, and is ended as a Cleanup',
    async (by) => {
      const { around, cameUp, handOver } = gated();
      world = await createWorld({ around });
      const session = await world.turns([[command('a', "trap '' TERM; touch ran.txt; sleep 982")]], { preset });
      await session.begin();
      const { identity } = await cameUp;
      if (by === 'a switch') await session.setMode('read-only');
      else await world.request('session.stop', { sessionId: session.id });
      handOver();
      expect(await session.result('a')).toMatchObject({ status: 'cancelled', facts: { cancelled: true } });
      expect(await released()).toMatchObject({
        id: 'a',
        mode: preset,
        cause: { kind: by === 'a switch' ? 'mode' : 'stop' },
      });
      expect([isAlive(identity), existsSync(join(world.workspace, 'ran.txt'))]).toEqual([false, false]);
      await session.idle();
      await session.expectVerified();
    },
  );
});

describe('a command that ended by itself and left what could not be ended', () => {
  it('stays listed as a failed Cleanup, is known to a later switch, and is gone when that is tried again', async () => {
    // Its supervisor and the first attempt of the Cleanup fail; what is tried after that is real.
    let failing = 2;
    const process = (real: ConfinedProcess) =>
      withClose(real, async (onPhase) => {
        if (failing === 0) return real.close(onPhase);
        failing -= 1;
        return { ok: false, phase: 'killing', error: 'it is still alive' };
      });
    world = await createWorld({ around: aroundLaunch({ process }) });
    const session = await world.turns([[command('a', 'setsid sleep 983 & exit 3')]], { preset: 'danger-full-access' });
    const result = await session.one();
    expect(result).toMatchObject({
      facts: { exitCode: 3 },
      cleanupError: expect.stringContaining('still alive') as string,
    });
    const alive = () => world.processes().filter(({ pid }) => readProc(pid, 'cmdline')?.includes('sleep\u0000983'));
    expect(alive()).toHaveLength(1);

    await session.setMode('read-only');
    const { cleanups } = await world.request('cleanup.list', { sessionId: session.id });
    expect(cleanups).toMatchObject([
      {
        what: 'command',
        id: 'a',
        mode: 'danger-full-access',
        cause: { kind: 'stop' },
        failed: { error: 'it is still alive' },
      },
    ]);
    expect(await session.types()).toContain('cleanup/asked');
    for (const { cleanupId } of cleanups) await world.request('cleanup.retry', { cleanupId });
    expect(await released()).toMatchObject({ id: 'a', attempts: 2 });
    expect(alive()).toEqual([]);
    await session.expectVerified();
  });
});
