import type { ApprovalId, CallId, CleanupId } from '../../../app/base/id.ts';
import type { What } from '../../../app/cleanup/cleanup.ts';
import type { Mode } from '../../../app/sandbox/mode.ts';
import type { SessionDraft, SessionEvent } from '../../../app/session/events.ts';

/** Drafts as a log has them, each a millisecond after the one before. */
export function logged(...drafts: readonly SessionDraft[]): readonly SessionEvent[] {
  return drafts.map((draft, seq): SessionEvent => ({ ...draft, seq, time: 100 + seq }));
}

export const said = (text: string): SessionDraft => ({
  type: 'user/message',
  data: { text, origin: 'person', queued: false },
});
export const turnStart = (turn: number): SessionDraft => ({ type: 'turn/start', data: { turn, prompt: 0 } });
export const turnStopping = (turn: number): SessionDraft => ({ type: 'turn/stopping', data: { turn, by: 'person' } });
export const turnEnd = (turn: number): SessionDraft => ({ type: 'turn/end', data: { turn, reason: 'completed' } });
export const mode = (to: Mode): SessionDraft => ({ type: 'sandbox/mode', data: { mode: to } });

export const call = (id: string): SessionDraft => ({
  type: 'tool/call',
  data: { turn: 1, step: 1, callId: id as CallId, tool: 'bash', input: { command: 'true' } },
});
export const begun = (id: string): SessionDraft => ({
  type: 'tool/started',
  data: { callId: id as CallId, tool: 'bash', mode: 'read-only', effect: 'write', cwd: '/w', roots: [] },
});
export const result = (id: string): SessionDraft => ({
  type: 'tool/result',
  data: { callId: id as CallId, tool: 'bash', status: 'ok', content: '' },
});

export const asked = (id: string, callId: string): SessionDraft => ({
  type: 'approval/asked',
  data: {
    id: id as ApprovalId,
    callId: callId as CallId,
    tool: 'bash',
    subjectDigest: '',
    subject: { kind: 'command', command: 'true', cwd: '/w' },
    rule: '',
    scope: { kind: 'once', from: 'read-only' },
  },
});
export const allowed = (id: string): SessionDraft => ({
  type: 'approval/decided',
  data: { id: id as ApprovalId, outcome: 'allowed-once', by: 'person' },
});

interface Ended {
  readonly what: What;
  readonly id: string;
  readonly pid?: number;
}

export const cleanup = (id: string, item: Ended = { what: 'command', id: 'c1' }): SessionDraft => ({
  type: 'cleanup/asked',
  data: { cleanupId: id as CleanupId, ...item, mode: 'workspace-write', cause: { kind: 'mode', seq: 0 } },
});
export const cleanupEnded = (id: string, error?: string): SessionDraft => ({
  type: 'cleanup/ended',
  data: {
    cleanupId: id as CleanupId,
    phase: error === undefined ? 'released' : 'killing',
    attempts: 1,
    ...(error !== undefined && { failed: { error } }),
  },
});
