import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { Cancelled } from '../base/cancel.ts';
import type { CallHooks, HookedCall, HookVerdict } from './callHooks.ts';
import { common, typed, world, type WorldOptions } from './dispatch.fixture.ts';
import { refused, type Outcome } from './result.ts';
import type { Tool } from './tool.ts';

const PASSED: HookVerdict = { kind: 'passed', lines: [] };

interface Told {
  readonly before: HookedCall[];
  readonly after: Outcome[];
}

/** A dispatch whose hooks say what a test wants; `act` happens while they run. */
function hooked(
  says: HookVerdict | ((time: number) => HookVerdict),
  options: WorldOptions & { after?: () => readonly string[]; act?: () => void } = {},
) {
  const told: Told = { before: [], after: [] };
  const hooks: CallHooks = {
    before: async (call) => {
      told.before.push(call);
      here.trace.push('hooks');
      options.act?.();
      return typeof says === 'function' ? says(told.before.length) : says;
    },
    after: async (_, outcome) => {
      told.after.push(outcome);
      here.trace.push('hooks after');
      return options.after?.() ?? [];
    },
  };
  const here = world({ ...options, hooks });
  return { ...here, told };
}

describe('hooks before a call', () => {
  it('run between the retained lease and the start, and those after it before the hold ends', async () => {
    const here = hooked(PASSED);
    expect(await here.call('write', { path: '/w/a' })).toMatchObject({ status: 'ok' });
    expect(here.trace).toEqual([
      'plan workspace-write',
      'prepare /w/a',
      'retain',
      'hooks',
      'tool/started',
      'run workspace-write',
      'hooks after',
      'hold ends',
      'close',
    ]);
    expect(here.told.before).toEqual([{ callId: 'c1', tool: 'write', input: { path: '/w/a' } }]);
  });

  it('that deny leave the retention to its run, and nothing started', async () => {
    const here = hooked({ kind: 'denied', reason: 'not here', lines: ['[hook x] more'] });
    expect(await here.call('write', { path: '/w/a' })).toMatchObject({
      status: 'refused',
      code: 'hook-denied',
      content: 'Denied by a hook: not here\nNothing ran.\n[hook x] more',
    });
    expect(here.trace.slice(2)).toEqual(['retain', 'hooks', 'hold ends', 'close']);
    expect(here.files.size).toBe(0);
    expect(here.lease).toMatchObject({ holds: 0, open: 0 });
  });

  it('that are not known refuse the call', async () => {
    const here = hooked({ kind: 'unknown', message: 'settings.json:1:1: broken' });
    const result = await here.call('write', { path: '/w/a' });
    expect(result).toMatchObject({
      status: 'refused',
      code: 'unavailable',
      content: expect.stringContaining('1:1: broken'),
    });
    expect(here.of('tool/started')).toEqual([]);
  });

  it('do not run for what is refused before: unknown, invalid, denied by the policy, or held by another', async () => {
    const here = hooked(PASSED);
    await here.call('none', {});
    await here.call('write', { wrong: true }, { id: 'c2' });
    await here.call('write', { path: '/etc/a' }, { id: 'c3' });
    here.lease.refusal = { kind: 'refused', code: 'lease-held', message: 'Held by another' };
    await here.call('write', { path: '/w/a' }, { id: 'c4' });
    expect(here.told.before).toEqual([]);
  });

  it('run again when the policy has overtaken what they were asked about, under the new one', async () => {
    const here = hooked((time) => (time === 1 ? { kind: 'denied', reason: 'old', lines: [] } : PASSED), {
      mode: 'read-only',
      act: () => {
        if (here.told.before.length === 1) here.setMode('workspace-write');
      },
    });
    expect(await here.call('wait', {}, { signal: aborting(here) })).toMatchObject({ status: 'cancelled' });
    expect(here.told.before).toHaveLength(2);
    expect(here.of('tool/started')).toMatchObject([{ mode: 'workspace-write' }]);
  });
});

/** Stops the call as soon as its body runs. */
function aborting(here: ReturnType<typeof hooked>): AbortSignal {
  const controller = new AbortController();
  here.journal.observe((event) => {
    if (event.type === 'tool/started')
      here.journal.followUp(() => controller.abort(new Cancelled({ kind: 'stopped', by: 'person' })));
  });
  return controller.signal;
}

describe('a hook that asks', () => {
  const ASK: HookVerdict = { kind: 'ask', reason: 'Sure?', lines: [] };

  it('has the lease yielded while a person is waited for, and the very call run then', async () => {
    const here = hooked(ASK);
    const calling = here.call('write', { path: '/w/a' });
    const [question] = await here.asked();
    expect(question).toMatchObject({
      rule: 'A hook asks about this call.',
      // What a hook says is a claim of whoever wrote it.
      justification: 'A hook says: Sure?',
      scope: { kind: 'once', from: 'workspace-write' },
    });
    expect(question?.scope).not.toHaveProperty('to');
    await here.answer('allow-once');
    expect(await calling).toMatchObject({ status: 'ok' });
    expect(here.trace.slice(2, 9)).toEqual([
      'retain',
      'hooks',
      'yield c1',
      'approval/asked',
      'approval/decided',
      'resume',
      'tool/started',
    ]);
    // It runs under the Mode in force like any other call: nothing was widened, and no receipt is owed.
    expect(here.of('tool/started')).toMatchObject([{ mode: 'workspace-write' }]);
    expect(here.of('tool/started')[0]).not.toHaveProperty('approvalId');
  });

  it('is answered for one call: the next one is asked about again', async () => {
    const here = hooked(ASK);
    for (const id of ['c1', 'c2']) {
      const calling = here.call('write', { path: '/w/a' }, { id });
      await here.answer('allow-once');
      expect((await calling).status).toBe('ok');
    }
    expect(here.of('approval/asked')).toHaveLength(2);
  });

  it('asks beside the question of an escalation, and neither answer stands for the other', async () => {
    const here = hooked(ASK, { mode: 'read-only' });
    const escalate = { to: 'workspace-write', justification: 'it must' };
    const calling = here.call('write', { path: '/w/a', escalate });
    await here.answer('allow-once');
    const [question] = await here.asked();
    // The same exception, told as one: the answer is to what would run.
    expect(question).toMatchObject({
      rule: 'A hook asks about this call.',
      scope: { kind: 'once', from: 'read-only', to: 'workspace-write' },
    });
    const digests = here.journal.events.flatMap((event) =>
      event.type === 'approval/asked' ? [event.data.subjectDigest] : [],
    );
    expect(digests).toEqual([digests[0], digests[0]]);
    await here.answer('deny', 'no');
    expect(await calling).toMatchObject({ status: 'refused', code: 'rejected' });
    expect(here.of('tool/started')).toEqual([]);
  });

  it('is refused where the lease is gone after the wait', async () => {
    const here = hooked(ASK);
    here.lease.restored = { kind: 'hold-ended' };
    const calling = here.call('write', { path: '/w/a' });
    await here.answer('allow-once');
    expect(await calling).toMatchObject({ status: 'refused', code: 'lease-lost' });
  });
});

describe('hooks after a call', () => {
  it('add lines to what the model is told, behind those from before, and change nothing else', async () => {
    const here = hooked({ kind: 'passed', lines: ['[hook a] before'] }, { after: () => ['[hook b] after'] });
    expect(await here.call('write', { path: '/w/a' })).toEqual({
      callId: 'c1',
      tool: 'write',
      status: 'ok',
      content: 'written\n[hook a] before\n[hook b] after',
      value: { path: '/w/a' },
    });
    expect(here.told.after).toMatchObject([{ status: 'ok', content: 'written' }]);
  });

  it('do not run where the body found that nothing can', async () => {
    const idle = (): readonly Tool[] => [
      typed({
        ...common('idle', z.strictObject({})),
        startsItself: true,
        plan: async () => ({ writes: 'whole' }),
        run: async () => refused('unavailable', 'Nothing ran'),
      }),
    ];
    const here = hooked(PASSED, { tools: idle });
    expect(await here.call('idle', {})).toMatchObject({ status: 'refused', content: 'Nothing ran' });
    expect(here.told).toMatchObject({ before: [{ tool: 'idle' }], after: [] });
  });

  it('that break leave the result as it is', async () => {
    const here = hooked(PASSED, {
      after: () => {
        throw new Error('broken hooks');
      },
    });
    expect(await here.call('write', { path: '/w/a' })).toMatchObject({ status: 'ok', content: 'written' });
    expect(here.faults).toMatchObject([{ message: 'broken hooks' }]);
  });
});
