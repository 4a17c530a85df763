import { describe, expect, it } from 'vitest';
import { Cancelled, orAborted } from '../base/cancel.ts';
import type { SessionId } from '../base/id.ts';
import { only, settled, until } from '../base/waiting.fixture.ts';
import { typed, world } from '../tool/dispatch.fixture.ts';
import type { CleanupFailed } from './nodeProvider.ts';
import { runCodeTool, type ProgramSession } from './runCode.ts';
import { FakeEnvironments, fakeProvider, STOPPED, valueOf, type Program } from './runCode.fixture.ts';
import type { Mode } from '../sandbox/mode.ts';

const FAILED: CleanupFailed = {
  kind: 'cleanup-failed',
  code: 'CLEANUP_FAILED',
  cleanupId: 'k_9',
  pid: 77,
  phase: 'killing',
  error: 'still alive',
};
const escalated = { escalate: { to: 'workspace-write', justification: 'it must' } };

describe('run_code', () => {
  it('runs in the retained Environment of its Session, started durably with its id', async () => {
    const { here, run, environments } = setUp({ one: async () => valueOf({ n: 1 }) });
    expect(await run('one')).toMatchObject({ status: 'ok', value: { n: 1 } });
    expect(await run('one', { id: 'c2' })).toMatchObject({ status: 'ok' });
    expect(here.of('tool/started')).toMatchObject([{ environmentId: 'e_1' }, { environmentId: 'e_1' }]);
    expect(environments.requests[0]).toMatchObject({ owner: 's_1', standing: 'workspace-write' });
    const steps = ['settled?', 'prepare whole', 'retain', 'acquire workspace-write retained', 'tool/started'];
    const once = [...steps, 'evaluate one', 'hold ends', 'close'];
    expect(here.trace).toEqual([...once, ...once]);
  });

  it('releases a program that is not to be retained before its result', async () => {
    const { run, environments } = setUp({ one: async () => valueOf(1) });
    expect(await run('one', { retain: false })).not.toHaveProperty('receipt');
    expect([environments.live.size, environments.requests[0]]).toEqual([
      0,
      expect.not.objectContaining({ owner: 's_1' }),
    ]);
  });

  it('PTC-2: reports a syntax error with its place and acquires nothing', async () => {
    const { here, run, environments } = setUp({});
    expect(await run('syntax!')).toMatchObject({
      status: 'refused',
      code: 'syntax',
      content: 'SyntaxError: Unexpected token (line 1, column 7)',
    });
    expect([environments.requests, here.lease.requests, here.of('tool/started')]).toEqual([[], [], []]);
  });

  it('RET-7: waits until nothing older lives, and runs under the latest Mode, also when that changed again', async () => {
    const { here, run, environments } = setUp({ one: async () => valueOf(1) });
    environments.settling = Promise.withResolvers<void>();
    const running = run('one');
    await until(() => here.trace.includes('settled?'));
    here.setMode('read-only');
    here.setMode('danger-full-access');
    expect(environments.requests).toEqual([]);
    environments.settling.resolve();
    expect(await running).toMatchObject({ status: 'ok' });
    expect(here.of('tool/started')).toMatchObject([{ mode: 'danger-full-access' }]);
  });

  it('RET-10: runs nothing when an older process could not be ended, and names it', async () => {
    const { here, run, environments } = setUp({ one: async () => valueOf(1) });
    environments.failures.push(FAILED);
    const result = await run('one');
    expect(result).toMatchObject({ status: 'refused', code: 'CLEANUP_FAILED' });
    for (const fact of ['k_9', '77', 'killing', 'still alive']) expect(result.content).toContain(fact);
    expect([environments.requests, here.of('tool/started')]).toEqual([[], []]);
    expect(await run('one', { id: 'c2' })).toMatchObject({ status: 'ok' });
  });

  it('starts anew when the Mode changed while its process was being started', async () => {
    const { here, run, environments } = setUp({ one: async () => valueOf(1) });
    environments.onAcquire = async () => {
      environments.onAcquire = undefined;
      here.setMode('read-only');
      return { ...FAILED };
    };
    expect(await run('one')).toMatchObject({ status: 'ok' });
    expect(here.trace.filter((step) => step.startsWith('acquire'))).toEqual([
      'acquire workspace-write retained',
      'acquire read-only retained',
    ]);
    expect(here.trace.filter((step) => step === 'settled?')).toHaveLength(2);
    expect(here.of('tool/started')).toMatchObject([{ mode: 'read-only' }]);
    expect([here.lease.open, here.lease.holds]).toEqual([0, 0]);
  });

  it('releases a temporary process that a change overtook, and starts another', async () => {
    const { here, run, environments } = setUp({ one: async () => valueOf(1) });
    environments.onAcquire = async () => {
      environments.onAcquire = undefined;
      here.setMode('read-only');
      return undefined;
    };
    expect(await run('one', { retain: false })).toMatchObject({ status: 'ok' });
    expect(here.trace).toContain('release e_1');
    expect(here.trace.filter((step) => step.startsWith('evaluate'))).toHaveLength(1);
    expect(environments.live.size).toBe(0);
  });

  it.each([
    [FAILED, 'CLEANUP_FAILED'],
    [{ kind: 'key-conflict', message: 'Another key' } as const, 'environment-lost'],
    [
      { kind: 'unavailable', code: 'SANDBOX_UNAVAILABLE', message: 'No bwrap', remedy: 'Install it.' } as const,
      'SANDBOX_UNAVAILABLE',
    ],
  ])('RET-14: refuses, and runs nothing, when no process is to be had: %j', async (refusal, code) => {
    const { here, run, environments } = setUp({ one: async () => valueOf(1) });
    environments.onAcquire = async () => refusal;
    expect(await run('one')).toMatchObject({ status: 'refused', code });
    expect(here.of('tool/started')).toEqual([]);
  });

  it('releases a standing process of another key first, and runs in a new one', async () => {
    const { here, run, environments } = setUp({ one: async () => valueOf(1) });
    await run('one');
    environments.onAcquire = async () => {
      environments.onAcquire = undefined;
      return { kind: 'key-conflict', message: 'Another root' };
    };
    expect(await run('one', { id: 'c2' })).toMatchObject({ status: 'ok' });
    expect(here.of('tool/started')).toMatchObject([{ environmentId: 'e_1' }, { environmentId: 'e_2' }]);
  });

  it('takes a conflict of keys that a change has caused for what it is, and resets nothing', async () => {
    const { here, run, environments } = setUp({ one: async () => valueOf(1) });
    environments.onAcquire = async () => {
      environments.onAcquire = undefined;
      here.setMode('read-only');
      return { kind: 'key-conflict', message: 'Another Mode' };
    };
    expect(await run('one')).toMatchObject({ status: 'ok' });
    expect(here.trace).not.toContain('reset');
    expect(here.of('tool/started')).toMatchObject([{ mode: 'read-only' }]);
  });

  it('starts nothing, and leaves no temporary process, when its start cannot be stored', async () => {
    const { here, run, environments } = setUp({ one: async () => valueOf(1) });
    here.journal.failFlush();
    expect(await run('one', { retain: false })).toMatchObject({ status: 'refused', code: 'storage' });
    expect([environments.live.size, here.trace.includes('evaluate one')]).toEqual([0, false]);
  });

  it('leaves no temporary process when running it throws', async () => {
    const { here, run, environments } = setUp({});
    expect(await run('unknown', { retain: false })).toMatchObject({ status: 'failed', code: 'exception' });
    expect([environments.live.size, here.faults.length]).toEqual([0, 1]);
  });
});

describe('an escalated program', () => {
  it('RET-12: has a process of its own, which is gone before the result with its receipt is there', async () => {
    const { here, run, environments } = setUp({ one: async () => valueOf(1) }, 'read-only');
    await run('one');
    const running = run('one', { id: 'c2', ...escalated });
    const approvalId = await here.answer('allow-once');
    const result = await running.then((settledResult) => ({ ...settledResult, live: environments.live.size }));
    expect(environments.requests[1]).toEqual({
      policy: expect.objectContaining({ mode: 'workspace-write' }),
      standing: 'read-only',
    });
    expect(result).toMatchObject({
      status: 'ok',
      live: 1,
      receipt: {
        approvalId,
        environmentId: 'e_2',
        pid: 1002,
        startTime: 't2',
        mode: 'workspace-write',
        exitCode: 0,
        signal: null,
        releasedBeforeReturn: true,
        standing: 'unchanged',
      },
    });
    expect(only([...environments.live]).id).toBe('e_1');
  });

  it('says in receipt and result when its process could not be ended', async () => {
    const { here, run, environments } = setUp({ one: async () => valueOf(1) }, 'read-only');
    environments.releaseError = 'still alive';
    const running = run('one', escalated);
    await here.answer('allow-once');
    const result = await running;
    expect(result).toMatchObject({
      receipt: { releasedBeforeReturn: false, standing: 'none' },
      cleanupError: 'process 1001: still alive',
    });
  });

  it('RET-13: makes its nested calls under the standing Mode', async () => {
    const codes: unknown[] = [];
    const program: Program = async (bridge) => {
      codes.push(await bridge.call('write', { path: '/w/a' }));
      return valueOf(null);
    };
    const { here, run } = setUp({ writes: program }, 'read-only');
    const running = run('writes', escalated);
    await here.answer('allow-once');
    expect(await running).toMatchObject({ status: 'ok', receipt: { mode: 'workspace-write' } });
    expect(codes).toMatchObject([{ ok: false, tool: 'write', code: 'denied' }]);
    expect([here.files.size, here.of('tool/nested-result').length]).toEqual([0, 1]);
  });

  it('keeps its owner when what it asks for is the Mode in force', async () => {
    const { here, run, environments } = setUp({ one: async () => valueOf(1) }, 'workspace-write');
    expect(await run('one', escalated)).not.toHaveProperty('receipt');
    expect([environments.requests[0]?.owner, here.of('approval/asked')]).toEqual(['s_1', []]);
  });
});

describe('a program and the calls that it makes', () => {
  it('RET-8: withdraws a nested question when the Mode changes, and the whole call ends cancelled', async () => {
    const program: Program = async (bridge, signal) => {
      void bridge.call('write', { path: '/etc/a', escalate: { to: 'danger-full-access', justification: 'more' } });
      await orAborted(new Promise(() => undefined), signal).catch(() => undefined);
      return STOPPED;
    };
    const { here, run } = setUp({ asks: program });
    const running = run('asks');
    const { approvalId } = only(await here.asked());
    here.setMode('read-only');
    expect(here.approvals.list()).toEqual([]);
    expect(here.approvals.decide(approvalId, 'allow-once', { door: 'late' })).toMatchObject({ settled: false });
    expect(await running).toMatchObject({ status: 'cancelled', code: 'mode-changed' });
    expect(here.of('approval/decided')).toMatchObject([{ outcome: 'cancelled', reason: 'mode-changed' }]);
    expect(here.of('tool/nested-result')).toMatchObject([{ status: 'cancelled', code: 'mode-changed' }]);
    expect(here.files.size).toBe(0);
  });

  it('cancels at the change what waits in the bridge, also while the process takes its time to end', async () => {
    const ended = Promise.withResolvers<void>();
    const program: Program = async (bridge) => {
      void bridge.call('spawn', {});
      void bridge.call('write', { path: '/w/a' });
      await ended.promise;
      return STOPPED;
    };
    const { here, run } = setUp({ waits: program });
    const running = run('waits');
    await until(() => here.processes.length === 1);
    here.setMode('danger-full-access');
    await until(() => here.of('tool/nested-result').length === 1);
    await settled();
    expect([here.files.size, only(here.processes).alive]).toEqual([0, false]);
    ended.resolve();
    expect(await running).toMatchObject({ status: 'cancelled', code: 'mode-changed' });
    expect(here.of('tool/nested-start')).toHaveLength(1);
    expect(here.of('cleanup/asked')).toMatchObject([{ what: 'nested', id: 'c1:1', cause: { kind: 'mode' } }]);
  });

  it('RET-9: ends what a nested call started when the turn is stopped', async () => {
    const program: Program = async (bridge, signal) => {
      void bridge.call('spawn', {});
      await orAborted(new Promise(() => undefined), signal).catch(() => undefined);
      return STOPPED;
    };
    const { here, run } = setUp({ spawns: program });
    const turn = new AbortController();
    const running = run('spawns', { signal: turn.signal });
    await until(() => here.processes.length === 1);
    turn.abort(new Cancelled({ kind: 'stopped', by: 'person' }));
    expect(await running).toMatchObject({ status: 'cancelled', code: 'stopped' });
    expect(only(here.processes).alive).toBe(false);
  });

  it('returns only when the nested call that a program left behind is over', async () => {
    const program: Program = async (bridge) => {
      void bridge.call('spawn', {});
      await settled();
      return valueOf('done');
    };
    const { here, run } = setUp({ leaves: program });
    const running = run('leaves');
    await until(() => here.processes.length === 1);
    const fake = only(here.processes);
    fake.gate = Promise.withResolvers<void>();
    await until(() => here.of('cleanup/asked').length === 1);
    let isOver = false;
    void running.then(() => (isOver = true));
    await settled();
    expect(isOver).toBe(false);
    fake.gate.resolve();
    expect(await running).toMatchObject({ status: 'ok', value: 'done' });
    expect(here.of('tool/nested-result')).toMatchObject([{ callId: 'c1:1', status: 'cancelled', code: 'stopped' }]);
  });
});

function setUp(programs: { readonly [code: string]: Program }, mode?: Mode) {
  const environments = new FakeEnvironments();
  const session: ProgramSession = {
    id: 's_1' as SessionId,
    environments,
    nestedTools: ['write', 'look', 'spawn'],
    declarations: 'declare const tools: {};',
    effectOf: (tool) => (tool === 'look' ? 'read' : 'write'),
    denialsIn: () => undefined,
    dispatchNested: (call, { run: { callId }, code }, signal) =>
      here.dispatch.nested(
        { ...call, lease: here.lease, nested: { rootCallId: callId, parentCallId: callId, code } },
        signal,
      ),
  };
  const tools = () => [typed(runCodeTool(fakeProvider(environments), session))];
  const here = world({ ...(mode && { mode }), tools });
  environments.trace = here.trace;
  for (const [code, program] of Object.entries(programs)) environments.programs.set(code, program);
  const run = (code: string, { id, signal, ...more }: RunOptions = {}) =>
    here.call('run_code', { code, title: code, ...more }, { id: id ?? 'c1', ...(signal && { signal }) });
  return { here, run, environments };
}

interface RunOptions {
  readonly id?: string;
  readonly signal?: AbortSignal;
  readonly retain?: boolean;
  readonly escalate?: { readonly to: string; readonly justification: string };
}
