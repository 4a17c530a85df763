import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { ApprovalId, CallId, SessionId } from '../../app/base/id.ts';
import type { ApprovalChange, PendingApproval } from '../../app/approval/approvals.ts';
import type { Reply } from '../../app/contract/reply.ts';

// The window's end of the wire, as the preload script gives it: every reply is one that the test gives.
interface Asked {
  readonly name: string;
  readonly input: unknown;
  readonly reply: (reply: Reply) => void;
}

const asked: Asked[] = [];
const bridge = {
  request: (name: string, input: unknown) =>
    new Promise<Reply>((resolve) => asked.push({ name, input, reply: resolve })),
  onPush: () => () => undefined,
};
vi.stubGlobal('window', { gatehouse: bridge });
const { decide, hearApproval, loadApprovals, useApprovals, writeNote } = await import('./approvals.ts');

const id = 'a_1' as ApprovalId;
const approval: PendingApproval = {
  approvalId: id,
  sessionId: 's_1' as SessionId,
  lineage: [{ sessionId: 's_1' as SessionId, title: 'Tidy up' }],
  tool: 'bash',
  callId: 'c1' as CallId,
  subject: { kind: 'command', command: 'true', cwd: '/x' },
  subjectDigest: '0',
  rule: 'It asks for more.',
  scope: { kind: 'once', from: 'workspace-write', to: 'danger-full-access' },
  asked: 0,
};

const allowed: ApprovalChange = { change: 'decided', approval, outcome: 'allowed-once', by: 'person' };
const denied: ApprovalChange = { change: 'decided', approval, outcome: 'rejected', by: 'person' };

function state() {
  return useApprovals.getState().asked.get(id);
}

async function answer(reply: Reply): Promise<void> {
  asked.shift()?.reply(reply);
  await vi.advanceTimersByTimeAsync(0);
}

const settled: Reply = { ok: true, output: { settled: true, by: 'person', outcome: 'allowed-once' } };

beforeEach(() => {
  vi.useFakeTimers();
  asked.length = 0;
  useApprovals.setState({ asked: new Map(), notes: new Map(), runs: new Map() });
  hearApproval({ change: 'asked', approval });
});

afterEach(() => {
  vi.useRealTimers();
});

describe('an answer given here', () => {
  it('is sent once, however often it is given while it is being recorded', () => {
    void decide(id, 'allow-once');
    void decide(id, 'deny');
    expect(asked.map(({ name, input }) => [name, input])).toEqual([
      ['approval.decide', { approvalId: id, decision: 'allow-once' }],
    ]);
    expect(state()).toMatchObject({ kind: 'recording', decision: 'allow-once' });
  });

  it('carries its note', () => {
    void decide(id, 'deny', 'Not there.');
    expect(asked[0]?.input).toEqual({ approvalId: id, decision: 'deny', note: 'Not there.' });
  });

  it('is over when main replies, whether the push comes after or before', async () => {
    void decide(id, 'allow-once');
    await answer(settled);
    hearApproval(allowed);
    expect(state()).toMatchObject({ kind: 'ended', here: true, ending: { outcome: 'allowed-once' } });
    useApprovals.setState({ asked: new Map() });
    hearApproval({ change: 'asked', approval });
    void decide(id, 'allow-once');
    hearApproval(allowed);
    expect(state()).toMatchObject({ kind: 'ended', here: true });
    await answer(settled);
    expect(state()).toMatchObject({ kind: 'ended', here: true });
  });

  it('is not confirmed after two seconds, and a later reply still ends it', async () => {
    void decide(id, 'allow-once');
    await vi.advanceTimersByTimeAsync(1_999);
    expect(state()).toMatchObject({ kind: 'recording' });
    await vi.advanceTimersByTimeAsync(1);
    expect(state()).toMatchObject({ kind: 'unconfirmed', decision: 'allow-once' });
    await answer(settled);
    expect(state()).toMatchObject({ kind: 'ended', here: true });
  });

  it('that is refused says why and can be given again', async () => {
    void decide(id, 'deny', 'No.');
    await answer({ ok: false, code: 'storage', message: 'The disk is full.' });
    expect(state()).toMatchObject({ kind: 'unconfirmed', trouble: { kind: 'refused', message: 'The disk is full.' } });
    void decide(id, 'deny', 'No.');
    expect(asked).toHaveLength(1);
  });

  it('whose reply is lost claims nothing about what became of it', async () => {
    void decide(id, 'allow-once');
    await answer({ ok: false, code: 'closing', message: 'Nothing was done.' });
    expect(state()).toMatchObject({ kind: 'unconfirmed', trouble: { kind: 'lost' } });
  });
});

describe('an answer that was not confirmed and is given again', () => {
  it('was given here, when the first one turns out to have been recorded', async () => {
    void decide(id, 'allow-once');
    await answer({ ok: false, code: 'closing', message: 'Nothing was done.' });
    void decide(id, 'allow-once');
    await answer({ ok: true, output: { settled: false, by: 'person', outcome: 'allowed-once' } });
    expect(state()).toMatchObject({ kind: 'ended', here: true, ending: { outcome: 'allowed-once' } });
  });

  it('was given elsewhere, when what was recorded is nothing that was answered here', async () => {
    void decide(id, 'allow-once');
    await answer({ ok: false, code: 'closing', message: 'Nothing was done.' });
    void decide(id, 'allow-once');
    await answer({ ok: true, output: { settled: false, by: 'person', outcome: 'rejected' } });
    expect(state()).toMatchObject({ kind: 'ended', here: false, ending: { outcome: 'rejected' } });
  });
});

describe('another answer after one that was not confirmed', () => {
  it('stays what is recorded and retried, whatever becomes of the first', async () => {
    void decide(id, 'allow-once');
    await vi.advanceTimersByTimeAsync(2_000);
    void decide(id, 'deny');
    await answer({ ok: false, code: 'storage', message: 'The disk is full.' });
    expect(state()).toMatchObject({ kind: 'recording', decision: 'deny', earlier: ['allow-once'] });
    await vi.advanceTimersByTimeAsync(2_000);
    expect(state()).toMatchObject({ kind: 'unconfirmed', decision: 'deny' });
  });
});

describe('an answer given elsewhere', () => {
  it('ends the question as not answered here', () => {
    hearApproval(denied);
    expect(state()).toMatchObject({ kind: 'ended', here: false, ending: { outcome: 'rejected' } });
  });

  it('is not taken for the one under way when that differs, or when the reply says so', async () => {
    void decide(id, 'allow-once');
    hearApproval(denied);
    expect(state()).toMatchObject({ kind: 'ended', here: false });
    useApprovals.setState({ asked: new Map() });
    hearApproval({ change: 'asked', approval });
    asked.length = 0;
    void decide(id, 'allow-once');
    hearApproval(allowed);
    await answer({ ok: true, output: { settled: false, by: 'person', outcome: 'allowed-once' } });
    expect(state()).toMatchObject({ kind: 'ended', here: false });
  });
});

describe('a question', () => {
  it('is told of twice and is one, in the state it is in', () => {
    void decide(id, 'allow-once');
    hearApproval({ change: 'asked', approval });
    expect(state()).toMatchObject({ kind: 'recording' });
  });

  it('leaves five seconds after its end, with the note that was being written', async () => {
    writeNote(id, 'half');
    hearApproval(denied);
    await vi.advanceTimersByTimeAsync(4_999);
    expect(state()).toMatchObject({ kind: 'ended' });
    await vi.advanceTimersByTimeAsync(1);
    expect(state()).toBeUndefined();
    expect(useApprovals.getState().notes.size).toBe(0);
  });

  it('that is missing from the list after a lost connection has ended, and nobody here knows how', async () => {
    void decide(id, 'allow-once');
    const loading = loadApprovals();
    asked.at(-1)?.reply({ ok: true, output: { approvals: [] } });
    await loading;
    expect(state()).toMatchObject({ kind: 'ended', here: false });
    expect(state()).not.toHaveProperty('ending');
  });

  it('that is still in the list keeps what this window was doing with it', async () => {
    writeNote(id, 'half');
    void decide(id, 'deny');
    const loading = loadApprovals();
    asked.at(-1)?.reply({ ok: true, output: { approvals: [approval] } });
    await loading;
    expect(state()).toMatchObject({ kind: 'recording' });
    expect(useApprovals.getState().notes.get(id)).toBe('half');
  });

  it('of an end that nobody here was asked about is nothing', () => {
    useApprovals.setState({ asked: new Map() });
    hearApproval(denied);
    expect(state()).toBeUndefined();
  });
});
