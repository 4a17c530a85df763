import { beforeEach, describe, expect, it } from 'vitest';
import type { ApprovalId, CallId, CleanupId, SessionId } from '../../app/base/id.ts';
import type { Cleanup } from '../../app/cleanup/cleanup.ts';
import type { PendingApproval } from '../../app/approval/approvals.ts';
import type { TurnEndReason } from '../../app/session/events.ts';
import * as talk from '../../app/session/talk.fixture.ts';
import { settle } from '../../app/session/session.fixture.ts';
import type { JsonObject } from '../../app/base/json.ts';
import { MemorySource } from '../pushes.fixture.ts';
import { MemoryHost } from './host.fixture.ts';
import { startNotifier } from './notifier.ts';

const A = 's_a' as SessionId;
const B = 's_b' as SessionId;
let source: MemorySource;
let host: MemoryHost;
let stop: () => void;

async function start(settings: JsonObject = {}): Promise<void> {
  source = new MemorySource();
  host = new MemoryHost();
  const reply = { revision: 'r', settings };
  stop = startNotifier({ onPush: (listener) => source.onPush(listener), settings: { get: async () => reply } }, host);
  await settle();
  row(A, 'Alpha');
}

beforeEach(() => start());

function row(sessionId: SessionId, title: string, parent?: SessionId): void {
  const about = { sessionId, title, workspace: '/w', state: 'idle', preset: 'p', updated: 1 } as const;
  source.push({ push: 'session', data: { row: { ...about, ...(parent && { parent }) } } });
}

function approval(id: string, sessionId = A): PendingApproval {
  return {
    approvalId: id as ApprovalId,
    sessionId,
    lineage: [],
    tool: 'bash',
    callId: 'c1' as CallId,
    subject: { kind: 'command', command: 'rm -rf secret-place', cwd: '/w' },
    subjectDigest: 'd',
    rule: 'asks',
    justification: 'secret-reason',
    scope: { kind: 'once', from: 'read-only', to: 'workspace-write' },
    asked: 1,
  };
}

const ask = (id: string, sessionId = A) =>
  source.push({ push: 'approval', data: { change: 'asked', approval: approval(id, sessionId) } });
const decide = (id: string, sessionId = A) =>
  source.push({
    push: 'approval',
    data: { change: 'decided', approval: approval(id, sessionId), outcome: 'rejected', by: 'person' },
  });
const begin = (turn: number, sessionId = A) => source.commit(sessionId, talk.turnStart(turn, 0));
const end = (turn: number, reason: TurnEndReason, sessionId = A) =>
  source.commit(sessionId, { type: 'turn/end', data: { turn, reason } });
function cleanup(more: Partial<Cleanup>): void {
  const about = {
    cleanupId: 'k1' as CleanupId,
    sessionId: A,
    what: 'command',
    id: 'c1',
    title: 'rm secret-place',
  } as const;
  const state = { mode: 'read-only', cause: { kind: 'stop' }, phase: 'asked', attempts: 1, since: 1 } as const;
  source.push({ push: 'cleanup', data: { cleanup: { ...about, ...state, ...more } } });
}
const failed = { phase: 'killing', failed: { error: 'secret-error' } } as const;
/** What it was told, a word each, with `-` for what was taken back. */
const told = () => host.notes.map(({ noteId, kind, withdrawn }) => `${withdrawn ? '-' : ''}${kind} ${noteId}`);

describe('an approval', () => {
  it('9-e: is one note while it waits, taken back with the decision, and the badge counts what waits', () => {
    ask('a1');
    ask('a2');
    expect(host.badges).toEqual([1, 2]);
    decide('a1');
    expect(told()).toEqual(['approval-needed a1', 'approval-needed a2', '-approval-needed a1']);
    decide('a2');
    expect(host.badges).toEqual([1, 2, 1, 0]);
    expect(told().slice(3)).toEqual(['-approval-needed a2']);
  });

  it('names its Session and nothing of what is asked', () => {
    ask('a1');
    decide('a1');
    expect(host.notes[0]).toEqual({ noteId: 'a1', kind: 'approval-needed', sessionId: A, title: 'Alpha' });
    expect(JSON.stringify(host.notes)).not.toContain('secret');
  });
});

describe('a run', () => {
  it.each<[TurnEndReason, readonly string[]]>([
    ['completed', ['run-ended run-s_a-1']],
    ['blocked', ['run-ended run-s_a-1']],
    ['max-tokens', ['run-ended run-s_a-1']],
    ['error', ['run-failed run-s_a-1']],
    ['aborted', []],
    ['interrupted', []],
  ])('9-e: that ended as %s is %j', (reason, notes) => {
    begin(1);
    end(1, reason);
    expect(told()).toEqual(notes);
  });

  it('that ended is no news where something is asked, and that failed is', () => {
    ask('a1');
    end(1, 'blocked');
    end(2, 'error');
    expect(told()).toEqual(['approval-needed a1', 'run-failed run-s_a-2']);
  });

  it('is taken back when the next one of its Session begins', () => {
    end(1, 'completed');
    begin(1, B);
    begin(2);
    end(2, 'error');
    expect(told()).toEqual(['run-ended run-s_a-1', '-run-ended run-s_a-1', 'run-failed run-s_a-2']);
  });

  it('of a child is for its parent to tell', () => {
    row(B, 'Child', A);
    end(1, 'completed', B);
    end(2, 'error', B);
    ask('a1', B);
    expect(told()).toEqual(['approval-needed a1']);
  });
});

describe('a cleanup', () => {
  it('that fails again and again is one note, taken back when it has succeeded', () => {
    cleanup({});
    cleanup(failed);
    cleanup({ attempts: 2 });
    cleanup({ ...failed, attempts: 2 });
    cleanup({ attempts: 3 });
    expect(told()).toEqual(['cleanup-failed k1']);
    cleanup({ phase: 'released', attempts: 3 });
    expect(told()).toEqual(['cleanup-failed k1', '-cleanup-failed k1']);
    expect(JSON.stringify(host.notes)).not.toContain('secret');
  });

  it('that succeeds is none', () => {
    cleanup({});
    cleanup({ phase: 'released' });
    expect(told()).toEqual([]);
  });
});

it('a Session that is removed takes its notes with it', () => {
  end(1, 'completed');
  cleanup(failed);
  source.push({ push: 'session', data: { sessionId: A, removed: true } });
  expect(told().slice(2)).toEqual(['-run-ended run-s_a-1', '-cleanup-failed k1']);
});

describe('a person who wants no notes', () => {
  it('gets none, while the badge goes on counting', async () => {
    await start({ window: { notifications: false } });
    ask('a1');
    end(1, 'error');
    decide('a1');
    expect([told(), host.badges]).toEqual([[], [1, 0]]);
  });

  it('is heard at once, and what stands is taken back all the same', () => {
    ask('a1');
    source.push({ push: 'settings', data: { revision: 'r2', settings: { window: { notifications: false } } } });
    ask('a2');
    decide('a1');
    expect(told()).toEqual(['approval-needed a1', '-approval-needed a1']);
    source.push({ push: 'settings', data: { revision: 'r3', settings: { window: { notifications: true } } } });
    ask('a3');
    expect(told().at(-1)).toBe('approval-needed a3');
  });
});

it('a stopped notifier says nothing more', () => {
  stop();
  ask('a1');
  expect([told(), host.badges, source.listeners]).toEqual([[], [], 0]);
});

it('5-f: names a Session with the hidden characters of its title drawn as escapes', () => {
  row(B, 'safe\u202e\u200b\u2028');
  ask('q1', B);
  expect(host.notes.at(-1)?.title).toBe('safe⟨U+202E⟩⟨U+200B⟩⟨U+2028⟩');
});
