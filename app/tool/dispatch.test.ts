import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { Cancelled } from '../base/cancel.ts';
import type { ApprovalId, CallId } from '../base/id.ts';
import { StorageError } from '../log/journal.ts';
import { digestOfLoggedCall, type BoundCall } from '../approval/boundCall.ts';
import { countedSignal, only, settled, until } from '../base/waiting.fixture.ts';
import { failed } from './result.ts';
import { common, typed, world, type World } from './dispatch.fixture.ts';

const STOP = new Cancelled({ kind: 'stopped', by: 'person' });
const escalate = (to: string, justification = 'it must') => ({ escalate: { to, justification } });

describe('the order of one call', () => {
  it('goes from policy to lease to a durable start to the body, and closes the lease last', async () => {
    const here = world();
    expect(await here.call('write', { path: '/w/a' })).toEqual({
      callId: 'c1',
      tool: 'write',
      status: 'ok',
      content: 'written',
      value: { path: '/w/a' },
    });
    expect(here.trace).toEqual([
      'plan workspace-write',
      'prepare /w/a',
      'retain',
      'tool/started',
      'run workspace-write',
      'hold ends',
      'close',
    ]);
    expect(here.durable).toEqual([true]);
    expect(here.of('tool/started')).toEqual([
      { callId: 'c1', tool: 'write', mode: 'workspace-write', effect: 'write', cwd: '/w', roots: ['/w'] },
    ]);
  });

  it('asks a person before it asks for the lease, and yields what nobody writes meanwhile', async () => {
    const here = world({ mode: 'read-only' });
    const calling = here.call('write', { path: '/w/a', ...escalate('workspace-write') });
    await here.answer('allow-once');
    expect(await calling).toMatchObject({ status: 'ok' });
    expect(here.trace).toEqual([
      'plan workspace-write',
      'yield c1',
      'approval/asked',
      'approval/decided',
      'resume',
      'prepare /w/a',
      'retain',
      'tool/started',
      'run workspace-write',
      'hold ends',
      'close',
    ]);
  });

  it.each([
    ['an unknown tool', 'nothing', {}, 'unknown-tool'],
    ['the name of a member of every object', 'constructor', {}, 'unknown-tool'],
    ['invalid input', 'write', { path: 7 }, 'invalid-input'],
    ['an unknown key', 'look', { path: '/w/a', more: true }, 'invalid-input'],
    ['an escalation of a tool that has none', 'look', { path: '/w/a', ...escalate('read-only') }, 'invalid-input'],
    ['what the policy denies', 'write', { path: '/etc/a' }, 'denied'],
  ])('refuses %s before the lease takes anything', async (_, tool, input, code) => {
    const here = world();
    expect(await here.call(tool, input)).toMatchObject({ status: 'refused', code, callId: 'c1', tool });
    expect(here.lease.requests).toEqual([]);
    expect(here.of('tool/started')).toEqual([]);
  });

  it('says that nothing ran when the plan finds that the body would fail', async () => {
    const plan = async () => ({ writes: 'none' as const, refusal: failed('not-found', 'Not found: a') });
    const run = async () => ({ status: 'ok' as const, content: 'ran' });
    const here = world({ tools: () => [typed({ ...common('lost', z.strictObject({})), plan, run })] });
    expect(await here.call('lost', {})).toMatchObject({
      status: 'refused',
      code: 'not-found',
      content: 'Not found: a',
    });
    expect(here.of('tool/started')).toEqual([]);
  });

  it('takes no lease for a reading call, nor under read-only for one that writes', async () => {
    const here = world({ mode: 'read-only' });
    here.go.resolve();
    expect(await here.call('look', { path: '/w/a' })).toMatchObject({ status: 'ok' });
    expect(await here.call('wait', {})).toMatchObject({ status: 'ok' });
    expect(await here.call('spawn', { how: 'forget' })).toMatchObject({ status: 'ok' });
    expect(here.lease.requests).toEqual([]);
    here.setMode('workspace-write');
    await here.call('wait', {});
    expect(here.lease.requests).toEqual([{ callId: 'c1', holder: 's_1', kind: 'whole' }]);
  });

  it.each([
    ['is not granted', (here: World) => (here.lease.refusal = heldBy('B')), 'lease-held'],
    ['cannot be retained', (here: World) => (here.lease.hold = heldBy('B')), 'lease-held'],
    ['belongs to a run that is over', (here: World) => (here.lease.hold = { kind: 'hold-ended' }), 'lease-lost'],
  ])('runs nothing when the lease %s', async (_, arrange, code) => {
    const here = world();
    arrange(here);
    expect(await here.call('write', { path: '/w/a' })).toMatchObject({ status: 'refused', code });
    expect([here.files.size, here.of('tool/started'), here.lease.open]).toEqual([0, [], 0]);
  });

  it('hands on that no confinement can be had, with the remedy, and runs nothing', async () => {
    const here = world();
    here.unavailable.refusal = {
      kind: 'unavailable',
      code: 'SANDBOX_UNAVAILABLE',
      message: 'No bwrap.',
      remedy: 'Install it.',
    };
    expect(await here.call('write', { path: '/w/a' })).toMatchObject({
      status: 'refused',
      code: 'SANDBOX_UNAVAILABLE',
      content: 'No bwrap. Install it.',
    });
    expect(here.trace).toEqual([]);
  });

  it('never runs a body whose start could not be stored', async () => {
    const here = world();
    here.journal.failFlush();
    expect(await here.call('write', { path: '/w/a' })).toMatchObject({ status: 'refused', code: 'storage' });
    expect([here.files.size, here.lease.open, here.lease.holds, here.faults]).toEqual([0, 0, 0, []]);
  });

  it('does not say that nothing ran when the disk fails behind a body', async () => {
    const here = world({
      tools: () => [
        typed({
          ...common('late', z.strictObject({})),
          plan: async () => ({ writes: 'whole' }),
          run: async () => {
            throw new StorageError('No room for a blob', true);
          },
        }),
      ],
    });
    const result = await here.call('late', {});
    expect(result).toMatchObject({ status: 'failed', code: 'storage' });
    expect(result.content).not.toContain('Nothing was run');
  });

  it('tells of a body that throws as failed, and of a plan that throws as refused', async () => {
    const here = world();
    expect(await here.call('broken', { where: 'run' })).toMatchObject({
      status: 'failed',
      code: 'exception',
      content: 'The tool failed: broken run',
    });
    expect(await here.call('broken', { where: 'plan' })).toMatchObject({ status: 'refused', code: 'exception' });
    expect(here.faults).toEqual([new Error('broken run'), new Error('broken plan')]);
    expect([here.lease.open, here.lease.holds]).toEqual([0, 0]);
  });

  it('reports a claim that could not be given back beside the result of the tool', async () => {
    const here = world();
    here.lease.closeError = 'cannot publish';
    const result = await here.call('write', { path: '/w/a' });
    expect(result).toMatchObject({ status: 'ok', value: { path: '/w/a' }, cleanupError: 'cannot publish' });
    expect(result.content).toBe('written\nCleanup failed: cannot publish');
  });

  it('leaves no listener on the signal of the call, however it ends', async () => {
    const here = world({ mode: 'read-only' });
    const { signal, listeners, abort } = countedSignal();
    await here.call('write', { path: '/w/a' }, { signal });
    await here.call('nothing', {}, { signal });
    await here.call('broken', { where: 'run' }, { signal });
    const asking = here.call('write', { path: '/w/a', ...escalate('workspace-write') }, { signal });
    await here.answer('deny');
    await asking;
    expect(listeners()).toBe(0);
    const waiting = here.call('wait', {}, { signal });
    await until(() => here.trace.includes('run read-only'));
    abort(STOP);
    expect(await waiting).toMatchObject({ status: 'cancelled', code: 'stopped' });
    expect(listeners()).toBe(0);
    const before = here.journal.observers;
    here.dispatch.close();
    expect(here.journal.observers).toBe(before - 1);
  });

  it('starts nothing for a signal that is aborted already', async () => {
    const here = world();
    const signal = AbortSignal.abort(new Cancelled({ kind: 'shutdown' }));
    expect(await here.call('write', { path: '/w/a' }, { signal })).toMatchObject({
      status: 'cancelled',
      code: 'shutdown',
    });
    expect([here.files.size, here.lease.requests.length]).toEqual([0, 0]);
  });
});

describe('a change of policy', () => {
  it('judges a call anew that waits for its lease, and lands it under the newest Mode', async () => {
    const here = world();
    here.lease.gate = Promise.withResolvers<void>();
    const calling = here.call('wait', {});
    await until(() => here.lease.requests.length === 1);
    here.setMode('read-only');
    here.setMode('danger-full-access');
    here.lease.gate.resolve();
    here.go.resolve();
    expect(await calling).toMatchObject({ status: 'ok' });
    expect(here.of('tool/started')).toMatchObject([{ mode: 'danger-full-access' }]);
    expect(here.trace.filter((step) => step.startsWith('plan'))).toEqual([
      'plan workspace-write',
      'plan danger-full-access',
    ]);
  });

  it('retains nothing for a verdict that was overtaken while the lease was awaited', async () => {
    const here = world();
    here.lease.gate = Promise.withResolvers<void>();
    const calling = here.call('write', { path: '/w/a' });
    await until(() => here.lease.requests.length === 1);
    here.setMode('read-only');
    here.lease.gate.resolve();
    expect(await calling).toMatchObject({ status: 'refused', code: 'denied', content: 'Denied by read-only' });
    expect(here.trace).not.toContain('retain');
    expect([here.files.size, here.lease.open]).toEqual([0, 0]);
  });

  it('is noticed by the start itself: nothing starts under a Mode that ended while the lease was retained', async () => {
    const here = world();
    here.lease.onRetain = () => void here.setMode('read-only');
    expect(await here.call('write', { path: '/w/a' })).toMatchObject({ status: 'refused', code: 'denied' });
    expect([here.files.size, here.of('tool/started')]).toEqual([0, []]);
    expect([here.lease.open, here.lease.holds]).toEqual([0, 0]);
  });

  it('cancels a call that asks, withdraws the question, and runs nothing on a late Allow', async () => {
    const here = world();
    const calling = here.call('write', { path: '/etc/a', ...escalate('danger-full-access') });
    const { approvalId } = only(await here.asked());
    here.setMode('read-only');
    expect(here.approvals.list()).toEqual([]);
    expect(here.approvals.decide(approvalId, 'allow-once', { door: 'late' })).toMatchObject({ settled: false });
    expect(await calling).toMatchObject({ status: 'cancelled', code: 'mode-changed' });
    expect(here.of('approval/decided')).toEqual([
      { id: approvalId, outcome: 'cancelled', by: 'system', reason: 'mode-changed' },
    ]);
    expect(here.of('approval/asked')).toMatchObject([{ id: approvalId, callId: 'c1' }]);
    expect([here.files.size, here.of('tool/started')]).toEqual([0, []]);
  });

  it('cancels a call whose approval was granted under the older Mode and that has not started', async () => {
    const here = world();
    here.lease.gate = Promise.withResolvers<void>();
    const calling = here.call('write', { path: '/etc/a', ...escalate('danger-full-access') });
    await here.answer('allow-once');
    await until(() => here.lease.requests.length === 1);
    here.setMode('read-only');
    here.lease.gate.resolve();
    expect(await calling).toMatchObject({ status: 'cancelled', code: 'mode-changed' });
    expect([here.files.size, here.of('tool/started'), here.lease.open]).toEqual([0, [], 0]);
  });

  it('aborts a running call with the cause, and ends its process as a Cleanup that is seen', async () => {
    const here = world();
    const phases: string[] = [];
    here.cleanups.observe(({ phase }) => void phases.push(phase));
    const calling = here.call('spawn', {});
    await until(() => here.processes.length === 1);
    const fake = only(here.processes);
    fake.gate = Promise.withResolvers<void>();
    expect(here.started.stoppedBy(here.session.id, 'read-only')).toMatchObject([{ what: 'command', id: 'c1' }]);

    const seq = here.setMode('read-only');
    expect(here.of('cleanup/asked')).toMatchObject([
      { what: 'command', id: 'c1', pid: 100, mode: 'workspace-write', cause: { kind: 'mode', seq } },
    ]);
    await until(() => only(here.cleanups.list()).phase === 'terminating');
    fake.gate.resolve();
    expect(await calling).toMatchObject({ status: 'cancelled', code: 'mode-changed' });
    expect(phases).toEqual(['asked', 'terminating', 'released']);
    expect([fake.alive, here.started.list(here.session.id), here.lease.holds]).toEqual([false, [], 0]);
  });

  it('is seen in the result when the process could not be ended, and the lease is held until a retry succeeds', async () => {
    const here = world();
    const calling = here.call('spawn', {});
    await until(() => here.processes.length === 1);
    const fake = only(here.processes);
    fake.attempts.push({ ok: false, phase: 'killing', error: 'still alive' });
    here.lease.closeError = 'cannot publish';
    here.setMode('read-only');

    const result = await calling;
    expect(result).toMatchObject({
      status: 'cancelled',
      code: 'mode-changed',
      cleanupError: 'process 100: still alive; cannot publish',
    });
    expect(result.content).toContain('still alive');
    expect([here.lease.holds, here.started.list(here.session.id).length]).toEqual([1, 1]);
    expect(await here.cleanups.retry(only(here.cleanups.list()).cleanupId)).toMatchObject({ phase: 'released' });
    await settled();
    expect([here.lease.holds, here.started.list(here.session.id)]).toEqual([0, []]);
  });

  it('cancels nothing when the value in force is set again, be it the default', async () => {
    const here = world();
    const waiting = here.call('wait', {}, { id: 'c1' });
    await until(() => here.trace.includes('run workspace-write'));
    const asking = here.call('write', { path: '/etc/a', ...escalate('danger-full-access') }, { id: 'c2' });
    await here.asked();
    here.setMode('workspace-write');
    here.journal.append({ type: 'permission/preset', data: { preset: 'workspace-write' } });
    here.journal.append({ type: 'approval/policy', data: { policy: 'ask' } });
    await here.answer('allow-once');
    here.go.resolve();
    expect(await Promise.all([waiting, asking])).toMatchObject([{ status: 'ok' }, { status: 'ok' }]);
  });

  it('is measured against the composition’s own default while the log says nothing', async () => {
    const here = world({ fallback: { mode: 'read-only', policy: 'ask' } });
    expect(await here.call('write', { path: '/w/a' })).toMatchObject({ code: 'denied' });
    const waiting = here.call('wait', {});
    await until(() => here.trace.includes('run read-only'));
    here.setMode('read-only');
    here.go.resolve();
    expect(await waiting).toMatchObject({ status: 'ok' });
  });

  it('of the launch settings cancels like one of the Mode', async () => {
    const here = world();
    const waiting = here.call('wait', {});
    await until(() => here.trace.includes('run workspace-write'));
    here.journal.append({ type: 'sandbox/settings', data: { digest: 'd1' } });
    expect(await waiting).toMatchObject({ status: 'cancelled', code: 'mode-changed' });
    const again = here.call('wait', {});
    await until(() => here.of('tool/started').length === 2);
    here.journal.append({ type: 'sandbox/settings', data: { digest: 'd1' } });
    here.go.resolve();
    expect(await again).toMatchObject({ status: 'ok' });
  });

  it('during the flush of the start ends the call before its body', async () => {
    const here = world();
    const release = here.journal.holdFlush();
    const calling = here.call('write', { path: '/w/a' });
    await until(() => here.of('tool/started').length === 1);
    here.setMode('danger-full-access');
    release();
    expect(await calling).toMatchObject({ status: 'cancelled', code: 'mode-changed' });
    expect(here.files.size).toBe(0);
  });
});

describe('what a body started', () => {
  it('is ended when the body throws or forgets it', async () => {
    const here = world();
    expect(await here.call('spawn', { how: 'break' })).toMatchObject({ status: 'failed', code: 'exception' });
    expect(await here.call('spawn', { how: 'forget' }, { id: 'c2' })).toMatchObject({ status: 'ok' });
    expect(here.processes.map(({ alive }) => alive)).toEqual([false, false]);
    expect(here.of('cleanup/asked')).toMatchObject([{ cause: { kind: 'stop' } }, { cause: { kind: 'stop' } }]);
    expect(here.started.list(here.session.id)).toEqual([]);
  });

  it('is no Cleanup when it ended by itself', async () => {
    const here = world();
    const calling = here.call('spawn', {});
    await until(() => here.processes.length === 1);
    only(here.processes).done.resolve();
    expect(await calling).toMatchObject({ status: 'ok' });
    expect([here.cleanups.list(), here.started.list(here.session.id)]).toEqual([[], []]);
  });

  it('is ended for the reason the body has for it', async () => {
    const here = world();
    expect(await here.call('spawn', { how: 'limit' })).toMatchObject({ status: 'ok' });
    expect(here.of('cleanup/asked')).toMatchObject([{ cause: { kind: 'limit' } }]);
  });
});

describe('a one-time escalation', () => {
  it('ESC-1: runs once under the wider Mode when the user allows, and the next call is read-only again', async () => {
    const here = world({ mode: 'read-only' });
    expect(await here.call('write', { path: '/w/a' })).toMatchObject({ status: 'refused', code: 'denied' });
    const calling = here.call('write', { path: '/w/a', ...escalate('workspace-write') }, { id: 'c2' });
    const approvalId = await here.answer('allow-once');
    expect(await calling).toMatchObject({ status: 'ok' });
    expect(here.of('tool/started')).toMatchObject([{ callId: 'c2', mode: 'workspace-write', approvalId }]);
    expect(here.files.has('/w/a')).toBe(true);
    expect(await here.call('write', { path: '/w/b' }, { id: 'c3' })).toMatchObject({
      status: 'refused',
      code: 'denied',
    });
    expect(here.files.has('/w/b')).toBe(false);
  });

  it('ESC-2: runs nothing when the user rejects, and says so with the note verbatim', async () => {
    const here = world({ mode: 'read-only' });
    const calling = here.call('write', { path: '/w/a', ...escalate('workspace-write') });
    await here.answer('deny', ' Use  /tmp');
    const result = await calling;
    expect(result).toMatchObject({ status: 'refused', code: 'rejected' });
    expect(result.content).toContain('Rejected by the user');
    expect(result.content).toContain(' Use  /tmp');
    expect([here.files.size, here.lease.requests.length]).toEqual([0, 0]);
  });

  it.each([{ justification: '' }, { justification: ' \n\t' }, {}])(
    'ESC-4: refuses %j as invalid and asks nobody',
    async (said) => {
      const here = world({ mode: 'read-only' });
      const input = { path: '/w/a', escalate: { to: 'workspace-write', ...said } };
      expect(await here.call('write', input)).toMatchObject({ status: 'refused', code: 'invalid-input' });
      expect([here.of('approval/asked'), here.files.size]).toEqual([[], 0]);
    },
  );

  it('ESC-6: is cancelled and runs nothing when the turn is stopped while the question is open', async () => {
    const here = world({ mode: 'read-only' });
    const turn = new AbortController();
    const calling = here.call('write', { path: '/w/a', ...escalate('workspace-write') }, { signal: turn.signal });
    await here.asked();
    turn.abort(STOP);
    expect(await calling).toMatchObject({ status: 'cancelled', code: 'stopped' });
    expect(here.of('approval/decided')).toMatchObject([{ outcome: 'cancelled', reason: 'stopped' }]);
    expect(here.files.size).toBe(0);
  });

  it('ESC-8: lets exactly the file change of the approved call land', async () => {
    const here = world({ mode: 'read-only' });
    const calling = here.call('write', { path: '/w/a', content: 'this', ...escalate('workspace-write') });
    await here.answer('allow-once');
    await calling;
    expect(Array.from(here.files)).toEqual([['/w/a', 'this']]);
  });

  it('ESC-9: judges widening against the Session’s own Mode, not against a wider default', async () => {
    const here = world({ mode: 'read-only', fallback: { mode: 'danger-full-access', policy: 'ask' } });
    const calling = here.call('write', { path: '/w/a', ...escalate('workspace-write') });
    expect(only(await here.asked()).scope).toEqual({ kind: 'once', from: 'read-only', to: 'workspace-write' });
    await here.answer('allow-once');
    expect(await calling).toMatchObject({ status: 'ok' });
  });

  it('5-h: runs an equal target without a question and with a note', async () => {
    const here = world({ mode: 'danger-full-access' });
    const result = await here.call('write', { path: '/etc/a', ...escalate('danger-full-access') });
    expect(result).toMatchObject({ status: 'ok' });
    expect(result.content).toMatch(/^Asked for danger-full-access.*\nwritten$/);
    expect(result).not.toHaveProperty('receipt');
    expect([here.of('approval/asked'), here.files.size]).toEqual([[], 1]);
  });

  it('5-h: refuses a narrower target as not wider and runs nothing', async () => {
    const here = world({ mode: 'danger-full-access' });
    expect(await here.call('write', { path: '/w/a', ...escalate('read-only') })).toMatchObject({
      status: 'refused',
      code: 'not-wider',
    });
    expect([here.of('approval/asked'), here.files.size]).toEqual([[], 0]);
  });

  it('5-h: is rejected once under policy never, with that reason and no prompt', async () => {
    const here = world();
    here.journal.append({ type: 'approval/policy', data: { policy: 'never' } });
    const prompts: string[] = [];
    here.approvals.observe(({ change }) => void prompts.push(change));
    const result = await here.call('write', { path: '/etc/a', ...escalate('danger-full-access') });
    expect(result).toMatchObject({ status: 'refused', code: 'rejected' });
    expect(result.content).toContain('approval policy is never');
    expect([prompts, here.of('approval/decided').length, here.files.size]).toEqual([[], 1, 0]);
  });

  it('asks nobody about what the wider Mode would deny as well', async () => {
    const here = world({ mode: 'read-only' });
    expect(await here.call('write', { path: '/etc/a', ...escalate('workspace-write') })).toMatchObject({
      code: 'denied',
      content: 'Denied by workspace-write',
    });
    expect(here.of('approval/asked')).toEqual([]);
  });

  it('is bound to exactly this input, and spent by one start: a second one runs nothing', async () => {
    const here = world({ mode: 'read-only' });
    here.lease.gate = Promise.withResolvers<void>();
    const calling = here.call('write', { path: '/w/a', ...escalate('workspace-write') });
    const approvalId = await here.answer('allow-once');
    await until(() => here.lease.requests.length === 1);
    const bound = (path: string): BoundCall => ({
      sessionId: here.session.id,
      tool: 'write',
      input: { path, ...escalate('workspace-write') },
      cwd: '/w',
      to: 'workspace-write',
    });
    expect(here.approvals.spend(approvalId, bound('/w/b'))).toBe(false);
    expect(here.approvals.spend(approvalId, bound('/w/a'))).toBe(true);
    here.lease.gate.resolve();
    expect(await calling).toMatchObject({ status: 'refused', code: 'exception' });
    expect([here.files.size, here.of('tool/started')]).toEqual([0, []]);
  });

  it('is spent also by a start that failed: neither the log that refuses it nor a broken body leaves it for a second', async () => {
    for (const breaks of ['log', 'body'] as const) {
      const here = world({ mode: 'read-only' });
      const input = { how: 'break', ...escalate('workspace-write') };
      here.journal.guard(({ type }) => (breaks === 'log' && type === 'tool/started' ? 'no' : undefined));
      const calling = here.call('spawn', input);
      const approvalId = await here.answer('allow-once');
      expect((await calling).status).toBe(breaks === 'log' ? 'refused' : 'failed');
      const bound: BoundCall = { sessionId: here.session.id, tool: 'spawn', input, cwd: '/w', to: 'workspace-write' };
      expect([breaks, here.approvals.spend(approvalId, bound)]).toEqual([breaks, false]);
      expect(here.processes).toHaveLength(breaks === 'log' ? 0 : 1);
    }
  });

  it('is bound to the call as the log has it, so that its digest can be had again', async () => {
    const here = world({ mode: 'read-only' });
    const input = { path: '/w/a', content: 'x'.repeat(5_000), ...escalate('workspace-write') };
    const calling = here.call('write', input);
    const [question] = await here.asked();
    const digest = (text: string) => createHash('sha256').update(text).digest('hex');
    const bound: BoundCall = { sessionId: here.session.id, tool: 'write', input, cwd: '/w', to: 'workspace-write' };
    expect(question?.subjectDigest).toBe(digestOfLoggedCall(bound, digest));
    await here.answer('deny');
    await calling;
  });

  it('5-e: asks again for the very same call', async () => {
    const here = world({ mode: 'read-only' });
    const ids: ApprovalId[] = [];
    for (const id of ['c1', 'c2']) {
      const calling = here.call('write', { path: '/w/a', ...escalate('workspace-write') }, { id });
      ids.push(await here.answer('allow-once'));
      await calling;
    }
    expect(new Set(ids).size).toBe(2);
    expect(here.of('approval/asked')).toHaveLength(2);
  });

  it('APR-10: gives each of several equal calls at once its own answer', async () => {
    const here = world({ mode: 'read-only' });
    const turn = new AbortController();
    const [a, b, c] = ['A', 'B', 'C'].map((id) =>
      here.call('write', { path: '/w/a', ...escalate('workspace-write') }, { id, signal: turn.signal }),
    );
    const questions = await here.asked(3);
    const idOf = (callId: string) => only(questions.filter((each) => each.callId === callId)).approvalId;
    here.approvals.decide(idOf('B'), 'allow-once', { door: 'test' });
    expect(here.approvals.decide(idOf('B'), 'allow-once', { door: 'test' })).toMatchObject({ settled: false });
    here.approvals.decide(idOf('C'), 'deny', { door: 'test' });
    expect(await b).toMatchObject({ status: 'ok' });
    expect(await c).toMatchObject({ status: 'refused', code: 'rejected' });
    expect(here.approvals.list().map(({ callId }) => callId)).toEqual(['A']);
    expect(here.of('tool/started')).toMatchObject([{ callId: 'B' }]);
    turn.abort(STOP);
    expect(await a).toMatchObject({ status: 'cancelled' });
  });

  it('leaves a receipt of the process that ran', async () => {
    const here = world({ mode: 'read-only' });
    const calling = here.call('spawn', escalate('workspace-write'));
    const approvalId = await here.answer('allow-once');
    await until(() => here.processes.length === 1);
    only(here.processes).done.resolve();
    expect((await calling).receipt).toEqual({
      approvalId,
      pid: 100,
      startTime: 't100',
      mode: 'workspace-write',
      exitCode: 0,
      signal: null,
      releasedBeforeReturn: true,
      standing: 'unchanged',
    });
  });

  it('lists what it started by the standing Mode, so that the switch to its wider Mode stops it too', async () => {
    const here = world({ mode: 'read-only' });
    const calling = here.call('spawn', escalate('workspace-write'));
    await here.answer('allow-once');
    await until(() => here.processes.length === 1);
    expect(here.started.stoppedBy(here.session.id, 'workspace-write')).toHaveLength(1);
    here.setMode('workspace-write');
    expect(await calling).toMatchObject({ status: 'cancelled', code: 'mode-changed' });
  });

  it('runs nothing when what was given back meanwhile is not to be had again', async () => {
    const here = world({ mode: 'read-only' });
    here.lease.restored = heldBy('B');
    const calling = here.call('write', { path: '/w/a', ...escalate('workspace-write') });
    await here.answer('allow-once');
    expect(await calling).toMatchObject({ status: 'refused', code: 'lease-held' });
    expect(here.files.size).toBe(0);
  });

  it('tells of the rejection, not of the lease, when both fail, and takes back what was given', async () => {
    const here = world({ mode: 'read-only' });
    here.lease.restored = heldBy('B');
    const calling = here.call('write', { path: '/w/a', ...escalate('workspace-write') });
    await here.answer('deny');
    expect(await calling).toMatchObject({ status: 'refused', code: 'rejected' });
    expect(here.trace.at(-1)).toBe('resume');
  });

  it('takes back what was given when the question cannot even be logged', async () => {
    const here = world({ mode: 'read-only' });
    here.journal.guard(({ type }) => (type === 'approval/asked' ? 'no' : undefined));
    expect(await here.call('write', { path: '/w/a', ...escalate('workspace-write') })).toMatchObject({
      status: 'refused',
      code: 'exception',
    });
    expect(here.trace.at(-1)).toBe('resume');
  });
});

describe('a call of a program', () => {
  const nestedOf = (here: World, input: { path: string }, callId = 'p:1') =>
    here.dispatch.nested(
      {
        callId: callId as CallId,
        tool: 'write',
        input,
        lease: here.lease,
        nested: { rootCallId: 'p' as CallId, parentCallId: 'p' as CallId, code: 'await tools.write()' },
      },
      new AbortController().signal,
    );

  it('RET-13: applies the standing permission, also where the program itself was escalated', async () => {
    const here = world({ mode: 'read-only' });
    expect(await nestedOf(here, { path: '/w/a' })).toMatchObject({ status: 'refused', code: 'denied' });
    expect(here.files.size).toBe(0);
  });

  it('8-e: is logged with the ids of its program, started and ended', async () => {
    const here = world();
    await nestedOf(here, { path: '/w/a' });
    expect(here.journal.events.map(({ type, data }) => [type, 'callId' in data && data.callId])).toEqual([
      ['tool/nested-start', 'p:1'],
      ['tool/started', 'p:1'],
      ['tool/nested-result', 'p:1'],
    ]);
    expect(here.of('tool/nested-result')).toMatchObject([{ rootCallId: 'p', parentCallId: 'p', status: 'ok' }]);
    expect(here.durable).toEqual([true]);
  });

  it('shows the program to the person who is asked', async () => {
    const here = world({ mode: 'read-only' });
    const calling = nestedOf(here, { path: '/w/a', ...escalate('workspace-write') });
    expect(only(await here.asked()).subject).toMatchObject({ program: { callId: 'p', code: 'await tools.write()' } });
    await here.answer('allow-once');
    expect(await calling).toMatchObject({ status: 'ok' });
  });

  it('is refused alone when the log cannot take its arguments', async () => {
    const here = world();
    const cycle: { path: string; self?: object } = { path: '/w/a' };
    cycle.self = cycle;
    expect(await nestedOf(here, cycle)).toMatchObject({ status: 'refused', code: 'storage' });
    expect([here.journal.events, here.files.size]).toEqual([[], 0]);
  });

  it('shares the flush of its program when it reads', async () => {
    const here = world();
    const flushes = here.journal.flushes;
    const request = { callId: 'p:1' as CallId, tool: 'look', input: { path: '/w/a' }, lease: here.lease };
    const nested = { rootCallId: 'p' as CallId, parentCallId: 'p' as CallId, code: '' };
    await here.dispatch.nested({ ...request, nested }, new AbortController().signal);
    expect(here.journal.flushes).toBe(flushes);
    await here.dispatch.call(request, new AbortController().signal);
    expect(here.journal.flushes).toBe(flushes + 1);
  });
});

function heldBy(holder: string) {
  return { kind: 'refused' as const, code: 'lease-held' as const, message: `Held by ${holder}` };
}
