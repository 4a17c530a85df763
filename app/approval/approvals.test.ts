import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { Cancelled, type CancelCause } from '../base/cancel.ts';
import type { ApprovalId, CallId, SessionId } from '../base/id.ts';
import { lossless } from '../base/json.ts';
import { countedSignal, settled, until } from '../base/waiting.fixture.ts';
import { MemoryJournal } from '../log/journal.fixture.ts';
import type { PolicyEvent } from '../policy/events.ts';
import { foldPolicy, NO_POLICY, type PolicyState } from '../policy/fold.ts';
import type { Answerer } from './answerer.ts';
import { Approvals, type ApprovalChange, type ApprovalsOptions } from './approvals.ts';
import type { ApprovalEvent, CancelReason } from './events.ts';
import type { ApprovalRequest } from './question.ts';

const NEVER_ABORTED = new AbortController().signal;
const PERSON = { door: 'window-1' };

describe('Approvals', () => {
  it('APR-1: is unavailable at once when nobody answers, and both audit events have equal ids', async () => {
    const { approvals, journal, request, changes } = setUp();
    const outcome = await approvals.ask(request(), NEVER_ABORTED);

    expect(outcome).toMatchObject({ kind: 'unavailable', reason: 'no-answerer' });
    expect(journal.events).toMatchObject([
      { type: 'approval/asked', data: { id: outcome.approvalId, callId: 'c1', scope: { to: 'workspace-write' } } },
      { type: 'approval/decided', data: { id: outcome.approvalId, outcome: 'unavailable', by: 'system' } },
    ]);
    expect(journal.durable).toBe(2);
    expect(changes).toEqual([]);
  });

  it('APR-2: rejects under policy never before any listener, also one that was added later', async () => {
    const { approvals, journal, request, changes } = attended();
    journal.append({ type: 'approval/policy', data: { policy: 'never' } });
    const calls: string[] = [];
    approvals.addAnswerer(answerer('late', async () => void calls.push('late')));

    expect(await approvals.ask(request(), AbortSignal.abort(new Cancelled({ kind: 'shutdown' })))).toMatchObject({
      kind: 'rejected',
      by: 'policy',
    });
    expect(journal.events.at(-1)?.data).toMatchObject({ outcome: 'rejected', by: 'policy' });
    expect([calls, changes]).toEqual([[], []]);
  });

  it.each([
    ['throws', () => Promise.reject(new Error('broken'))],
    ['throws at once', () => thrown()],
    ['answers nothing we know', async () => ({ decision: 'always' })],
    ['answers with a word', async () => 'allow-once'],
    ['answers null', async () => null],
    ['adds a note that is no text', async () => ({ decision: 'allow-once', note: 7 })],
  ])('APR-4: is unavailable when the answerer %s', async (_, answer) => {
    const { approvals, request } = setUp();
    const asked: string[] = [];
    approvals.addAnswerer(answerer('bad', answer));
    approvals.addAnswerer(answerer('next', async () => void asked.push('next')));

    expect(await approvals.ask(request(), NEVER_ABORTED)).toMatchObject({
      kind: 'unavailable',
      reason: 'answerer-failed',
    });
    expect(asked).toEqual([]);
  });

  it('APR-5: is cancelled immediately when the turn is cancelled, and a later click has no effect', async () => {
    const { approvals, journal, request } = attended();
    const turn = new AbortController();
    const asking = approvals.ask(request(), turn.signal);
    const { approvalId } = await announced(approvals);

    turn.abort(new Cancelled({ kind: 'turn-ended' }));
    expect(approvals.list()).toEqual([]);
    expect(approvals.decide(approvalId, 'allow-once', PERSON)).toEqual({
      settled: false,
      by: 'system',
      outcome: 'cancelled',
    });
    expect(await asking).toEqual({ approvalId, kind: 'cancelled', reason: 'turn-ended' });
    expect(journal.types()).toEqual(['approval/asked', 'approval/decided']);
  });

  it.each<[CancelCause, CancelReason]>([
    [{ kind: 'stopped', by: 'person' }, 'stopped'],
    [{ kind: 'stopped', by: 'parent' }, 'stopped'],
    [{ kind: 'mode-changed', seq: 3 }, 'mode-changed'],
    [{ kind: 'turn-ended' }, 'turn-ended'],
    [{ kind: 'agent-died' }, 'agent-died'],
    [{ kind: 'shutdown' }, 'shutdown'],
    [{ kind: 'policy-never' }, 'policy-never'],
    [{ kind: 'settings-changed', seq: 3 }, 'call-aborted'],
    [{ kind: 'program-ended' }, 'call-aborted'],
    [{ kind: 'timeout' }, 'call-aborted'],
    [{ kind: 'reset' }, 'call-aborted'],
    [{ kind: 'unload' }, 'call-aborted'],
  ])('is cancelled with its call, aborted for %j, and records the reason %s', async (cause, reason) => {
    const { approvals, journal, request, call } = attended();
    const run = new AbortController();
    const asking = approvals.ask(request(), run.signal);
    const { approvalId } = await announced(approvals);
    run.abort(new Cancelled(cause));
    expect(await asking).toEqual({ approvalId, kind: 'cancelled', reason });
    expect(journal.events.at(-1)).toMatchObject({
      type: 'approval/decided',
      data: { id: approvalId, outcome: 'cancelled', reason },
    });
    expect(approvals.decide(approvalId, 'allow-once', PERSON)).toMatchObject({ settled: false, outcome: 'cancelled' });
    expect(approvals.spend(approvalId, call)).toBe(false);
  });

  it('tells its asker, and grants, only when the decision is on disk', async () => {
    const { approvals, journal, request, call } = attended();
    let told = false;
    const asking = approvals.ask(request(), NEVER_ABORTED).finally(() => (told = true));
    const { approvalId } = await announced(approvals);
    const flushes = journal.flushes;
    const release = journal.holdFlush();
    approvals.decide(approvalId, 'allow-once', PERSON);
    await until(() => journal.flushes > flushes);
    await settled();
    expect([told, approvals.spend(approvalId, call)]).toEqual([false, false]);
    release();
    expect(await asking).toMatchObject({ kind: 'allowed-once' });
    expect(journal.durable).toBe(2);
    expect(approvals.spend(approvalId, call)).toBe(true);
  });

  it('APR-6: does not ask the second answerer once the first has decided', async () => {
    const { approvals, request } = setUp();
    const asked: string[] = [];
    const passing = answerer('zero', async () => void asked.push('zero'));
    approvals.addAnswerer(passing);
    approvals.addAnswerer(
      answerer('first', async () => {
        asked.push('first');
        return { decision: 'deny', note: 'no' };
      }),
    );
    approvals.addAnswerer(answerer('second', async () => void asked.push('second')));

    expect(await approvals.ask(request(), NEVER_ABORTED)).toMatchObject({ kind: 'rejected', note: 'no' });
    expect(asked).toEqual(['zero', 'first']);
  });

  it('is unavailable when every answerer passes and no door attends', async () => {
    const { approvals, request } = setUp();
    approvals.addAnswerer(answerer('passes', async () => undefined));
    expect(await approvals.ask(request(), NEVER_ABORTED)).toMatchObject({ kind: 'unavailable', reason: 'no-answerer' });
  });

  it('APR-10: gives each of several equal questions its own answer', async () => {
    const { approvals, request, journal } = attended();
    const asking = ['c1', 'c2', 'c3'].map((callId) =>
      approvals.ask(request({ callId: callId as CallId }), NEVER_ABORTED),
    );
    await announced(approvals, 3);
    const idOf = (callId: string) => approvals.list().find((each) => each.callId === callId)?.approvalId as ApprovalId;
    const [first, second, third] = [idOf('c1'), idOf('c2'), idOf('c3')];

    expect(approvals.decide(second, 'allow-once', PERSON)).toMatchObject({ settled: true });
    expect(approvals.decide(second, 'allow-once', PERSON)).toMatchObject({ settled: false, by: 'person' });
    approvals.decide(third, 'deny', PERSON);
    expect(await asking[1]).toEqual({ kind: 'allowed-once', approvalId: second });
    expect(await asking[2]).toMatchObject({ kind: 'rejected', approvalId: third });
    expect(approvals.list().map((each) => each.approvalId)).toEqual([first]);
    expect(journal.events.filter((event) => event.type === 'approval/decided')).toHaveLength(2);
    await approvals.close();
    expect(await asking[0]).toMatchObject({ kind: 'cancelled', reason: 'shutdown' });
  });

  it('ESC-2: hands the note of a rejection over verbatim', async () => {
    const { approvals, request } = attended();
    const asking = approvals.ask(request(), NEVER_ABORTED);
    const { approvalId } = await announced(approvals);
    approvals.decide(approvalId, 'deny', { door: 'window-2', note: ' Use  the cache\n' });
    expect(await asking).toEqual({ approvalId, kind: 'rejected', by: 'person', note: ' Use  the cache\n' });
  });

  it('ESC-6: is cancelled before it is announced when the call is over already', async () => {
    const { approvals, request, changes } = attended();
    const outcome = await approvals.ask(request(), AbortSignal.abort(new Cancelled({ kind: 'stopped', by: 'person' })));
    expect(outcome).toMatchObject({ kind: 'cancelled', reason: 'stopped' });
    expect(changes).toEqual([]);
  });

  it('takes an answer that comes with the announcement', async () => {
    const { approvals, request } = attended();
    approvals.observe((change) => {
      if (change.change === 'asked') approvals.decide(change.approval.approvalId, 'allow-once', PERSON);
    });
    expect(await approvals.ask(request(), NEVER_ABORTED)).toMatchObject({ kind: 'allowed-once' });
  });

  it('tells nobody before the question is on disk', async () => {
    const { approvals, request, journal, changes } = attended();
    const release = journal.holdFlush();
    const asking = approvals.ask(request(), NEVER_ABORTED);
    await until(() => journal.flushes === 1);
    expect([approvals.list(), changes]).toEqual([[], []]);

    release();
    const { approvalId } = await announced(approvals);
    expect(changes).toMatchObject([{ change: 'asked', approval: { approvalId, asked: 1 } }]);
    approvals.decide(approvalId, 'deny', PERSON);
    await asking;
    expect(changes.at(-1)).toMatchObject({ change: 'decided', outcome: 'rejected', by: 'person' });
  });

  it('tells nobody of a question that was withdrawn before it was on disk', async () => {
    const { approvals, request, journal, changes } = attended();
    const release = journal.holdFlush();
    const turn = new AbortController();
    const asking = approvals.ask(request(), turn.signal);
    await until(() => journal.flushes === 1);
    turn.abort(new Cancelled({ kind: 'turn-ended' }));
    release();
    expect(await asking).toMatchObject({ kind: 'cancelled', reason: 'turn-ended' });
    expect(changes).toEqual([]);
  });

  it('ends as unavailable when the question cannot be shown', async () => {
    const { approvals, request, faults } = attended();
    const lineage = () => {
      throw new Error('a parent that cannot be read');
    };
    const asking = approvals.ask(request({ session: { ...request().session, lineage } }), NEVER_ABORTED);
    expect(await asking).toMatchObject({ kind: 'unavailable', reason: 'answerer-failed' });
    expect(faults).toHaveLength(1);
  });

  it('asks nobody and grants nothing when the question cannot be stored', async () => {
    const { approvals, request, journal, changes } = attended();
    journal.failFlush();
    expect(await approvals.ask(request(), NEVER_ABORTED)).toMatchObject({ kind: 'storage' });
    expect(changes).toEqual([]);
    expect(journal.events.at(-1)?.data).toEqual({ id: 'a_1', outcome: 'unavailable', by: 'system' });
  });

  it('1-c: grants nothing when an allowing answer cannot be stored', async () => {
    const { approvals, request, journal, call } = attended();
    const asking = approvals.ask(request(), NEVER_ABORTED);
    const { approvalId } = await announced(approvals);
    const heal = journal.failFlush();

    expect(approvals.decide(approvalId, 'allow-once', PERSON)).toMatchObject({ settled: true });
    expect(await asking).toMatchObject({ kind: 'storage' });
    heal();
    expect(approvals.spend(approvalId, call)).toBe(false);
  });

  it('grants nothing when the Session takes no more events', async () => {
    const { approvals, request, journal, call } = attended();
    const asking = approvals.ask(request(), NEVER_ABORTED);
    const { approvalId } = await announced(approvals);
    journal.close();
    approvals.decide(approvalId, 'allow-once', PERSON);
    expect(await asking).toMatchObject({ kind: 'storage' });
    expect(approvals.spend(approvalId, call)).toBe(false);
  });

  it('withdraws every question of a Session whose policy becomes never, and of no other', async () => {
    const { approvals, request, journal, other } = attended();
    const asking = approvals.ask(request(), NEVER_ABORTED);
    const elsewhere = approvals.ask(other.request(), NEVER_ABORTED);
    await announced(approvals, 2);

    journal.append({ type: 'approval/policy', data: { policy: 'never' } });
    expect(journal.types()).toEqual(['approval/asked', 'approval/policy', 'approval/decided']);
    expect(await asking).toMatchObject({ kind: 'cancelled', reason: 'policy-never' });
    expect(journal.events.at(-1)?.data).toMatchObject({ by: 'policy', reason: 'policy-never' });
    expect(approvals.list()).toMatchObject([{ sessionId: 's_2' }]);
    await approvals.close();
    await elsewhere;
  });

  it('5-c: withdraws at the commit of another Mode, so that a late Allow grants nothing', async () => {
    const { approvals, request, journal, call } = attended();
    const asking = approvals.ask(request(), NEVER_ABORTED);
    const { approvalId } = await announced(approvals);
    journal.append({ type: 'sandbox/mode', data: { mode: 'workspace-write' } }); // the default: no change
    expect(approvals.list()).toHaveLength(1);

    journal.section(() => {
      journal.append({ type: 'permission/preset', data: { preset: 'read-only' } });
      journal.append({ type: 'sandbox/mode', data: { mode: 'read-only' } });
      expect(approvals.decide(approvalId, 'allow-once', PERSON)).toMatchObject({
        settled: false,
        outcome: 'cancelled',
      });
      journal.append({ type: 'approval/policy', data: { policy: 'ask' } });
    });
    expect(await asking).toMatchObject({ kind: 'cancelled', reason: 'mode-changed' });
    expect(approvals.spend(approvalId, call)).toBe(false);
    expect(journal.types().slice(-2)).toEqual(['approval/policy', 'approval/decided']);
    expect(journal.faults).toEqual([]);
  });

  it('spends one approval by one launch, and only for the call it was asked for', async () => {
    const { approvals, request, call } = attended();
    const asking = approvals.ask(request(), NEVER_ABORTED);
    const { approvalId } = await announced(approvals);
    expect(approvals.spend(approvalId, call)).toBe(false);
    approvals.decide(approvalId, 'allow-once', PERSON);
    await asking;

    expect(approvals.spend(approvalId, { ...call, input: { command: 'make clean' } })).toBe(false);
    expect(approvals.spend(approvalId, { ...call, to: 'danger-full-access' })).toBe(false);
    expect(approvals.spend(approvalId, { ...call, sessionId: 's_2' as SessionId })).toBe(false);
    expect(approvals.spend(approvalId, call)).toBe(true);
    expect(approvals.spend(approvalId, call)).toBe(false);
  });

  it('knows nothing of an id that it never gave out', () => {
    expect(setUp().approvals.decide('a_99' as ApprovalId, 'allow-once', PERSON)).toBeUndefined();
  });

  it('lists the whole subject with its lineage, while the log has the long text as a blob', async () => {
    const { approvals, request, journal } = attended();
    const command = 'x'.repeat(70_000);
    const asking = approvals.ask(request({ subject: { kind: 'command', command, cwd: '/w' } }), NEVER_ABORTED);
    const pending = await announced(approvals);

    expect(pending).toMatchObject({
      lineage: [{ sessionId: 's_0', title: 'Parent' }, { sessionId: 's_1' }],
      subject: { command },
      justification: 'the build writes',
      rule: 'This one call asks for more.',
    });
    expect(journal.events[0]?.data).toMatchObject({ subject: { command: { bytes: 70_000, blob: 'b' } } });
    expect(approvals.sessionOf(pending.approvalId)).toBe('s_1');
    await approvals.close();
    await asking;
    expect(approvals.sessionOf(pending.approvalId)).toBe('s_1');
  });

  it('goes on waiting when the last answerer leaves, and a newcomer answers', async () => {
    const { approvals, request, leave } = attended();
    const asking = approvals.ask(request(), NEVER_ABORTED);
    const { approvalId } = await announced(approvals);
    leave();
    expect(approvals.list()).toHaveLength(1);
    approvals.attend();
    approvals.decide(approvalId, 'allow-once', PERSON);
    expect(await asking).toMatchObject({ kind: 'allowed-once' });
  });

  it('is unavailable, never rejected, when a configured time limit is over', async () => {
    const expired: (() => void)[] = [];
    let calledOff = 0;
    const timer = (fire: () => void) => {
      expired.push(fire);
      return () => void (calledOff += 1);
    };
    const { approvals, request } = attended({ timer });
    const asking = approvals.ask(request(), NEVER_ABORTED);
    await announced(approvals);
    expired[0]?.();
    expect(await asking).toMatchObject({ kind: 'unavailable', reason: 'timeout' });
    expect(calledOff).toBe(1);
  });

  it('ends everything with the shutdown, and a question that comes later too', async () => {
    const { approvals, request } = attended();
    const asking = approvals.ask(request(), NEVER_ABORTED);
    await announced(approvals);
    const closing = approvals.close();
    expect(approvals.close()).toBe(closing);
    await closing;
    expect(await asking).toMatchObject({ kind: 'cancelled', reason: 'shutdown' });
    expect(await approvals.ask(request(), NEVER_ABORTED)).toMatchObject({ kind: 'cancelled', reason: 'shutdown' });
  });

  it('leaves no listener on the signal and no observer on the log, however it ends', async () => {
    const { approvals, request, journal } = attended();
    const call = countedSignal();
    const allowed = approvals.ask(request(), call.signal);
    const { approvalId } = await announced(approvals);
    expect([journal.observers, call.listeners()]).toEqual([1, 1]);
    approvals.decide(approvalId, 'allow-once', PERSON);
    await allowed;
    expect([journal.observers, call.listeners()]).toEqual([0, 0]);

    const cancelled = approvals.ask(request(), call.signal);
    await announced(approvals);
    call.abort(new Cancelled({ kind: 'turn-ended' }));
    await cancelled;
    expect([journal.observers, call.listeners()]).toEqual([0, 0]);
  });

  it('aborts what an answerer was given when a door is faster', async () => {
    const { approvals, request } = attended();
    const given: AbortSignal[] = [];
    approvals.addAnswerer(
      answerer('slow', (signal) => {
        given.push(signal);
        return new Promise((resolve) => signal.addEventListener('abort', () => resolve({ decision: 'allow-once' })));
      }),
    );
    const asking = approvals.ask(request(), NEVER_ABORTED);
    const { approvalId } = await announced(approvals);
    approvals.decide(approvalId, 'deny', PERSON);
    expect(await asking).toMatchObject({ kind: 'rejected' });
    expect(given[0]?.aborted).toBe(true);
  });

  it('goes on when a listener throws', async () => {
    const { approvals, request, faults } = attended();
    approvals.observe(() => {
      throw new Error('a broken window');
    });
    const asking = approvals.ask(request(), NEVER_ABORTED);
    const { approvalId } = await announced(approvals);
    approvals.decide(approvalId, 'allow-once', PERSON);
    expect(await asking).toMatchObject({ kind: 'allowed-once' });
    expect(faults).toHaveLength(2);
  });
});

function setUp(options: Partial<ApprovalsOptions> = {}) {
  const faults: unknown[] = [];
  const changes: ApprovalChange[] = [];
  let made = 0;
  const approvals = new Approvals({
    newId: () => `a_${(made += 1)}` as ApprovalId,
    digest: (text) => createHash('sha256').update(text).digest('hex'),
    onFault: (fault) => void faults.push(fault),
    ...options,
  });
  approvals.observe((change) => void changes.push(change));
  const call = {
    sessionId: 's_1' as SessionId,
    tool: 'bash',
    input: { command: 'make' },
    cwd: '/w',
    to: 'workspace-write' as const,
  };
  return { approvals, faults, changes, call, other: session('s_2'), ...session('s_1') };
}

function attended(options: Partial<ApprovalsOptions> = {}) {
  const parts = setUp(options);
  return { ...parts, leave: parts.approvals.attend() };
}

function session(id: string) {
  const journal = new MemoryJournal<ApprovalEvent | PolicyEvent>();
  const self = {
    id: id as SessionId,
    journal,
    policyState: () => journal.events.reduce<PolicyState>(foldPolicy, NO_POLICY),
    lineage: () => [
      { sessionId: 's_0' as SessionId, title: 'Parent' },
      { sessionId: id as SessionId, title: 'Child' },
    ],
    storable: async (value: unknown) =>
      lossless(
        JSON.parse(
          JSON.stringify(value, (_, member: unknown) =>
            typeof member === 'string' && member.length > 65_536
              ? { text: member.slice(-65_536), bytes: member.length, dropped: 0, blob: 'b' }
              : member,
          ),
        ),
      ),
  };
  const request = (part: Partial<ApprovalRequest> = {}): ApprovalRequest => ({
    session: self,
    tool: 'bash',
    callId: 'c1' as CallId,
    subject: { kind: 'command', command: 'make', cwd: '/w' },
    input: { command: 'make' },
    cwd: '/w',
    rule: 'This one call asks for more.',
    justification: 'the build writes',
    scope: { kind: 'once', from: 'read-only', to: 'workspace-write' },
    ...part,
  });
  return { journal, request };
}

function answerer(door: string, answer: (signal: AbortSignal) => Promise<unknown>): Answerer {
  return { door, answer: (_, signal) => answer(signal) as ReturnType<Answerer['answer']> };
}

function thrown(): never {
  throw new Error('broken at once');
}

async function announced(approvals: Approvals, count = 1) {
  await until(() => approvals.list().length === count);
  const last = approvals.list().at(-1);
  if (!last) throw new Error('No question waits');
  return last;
}
