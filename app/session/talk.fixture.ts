import type { ApprovalId, CallId, CleanupId, EnvironmentId, JobId } from '../base/id.ts';
import type { Mode } from '../sandbox/mode.ts';
import type { Result } from '../tool/result.ts';
import type { SessionDraft } from './events.ts';

// Events as a turn makes them, one function each, so that a log in a test reads like what happened.

export const said = (text: string, queued = false): SessionDraft => ({
  type: 'user/message',
  data: { text, origin: 'person', queued },
});
export const turnStart = (turn: number, prompt: number): SessionDraft => ({
  type: 'turn/start',
  data: { turn, prompt },
});
export const step = (turn: number, number: number, through: number): SessionDraft => ({
  type: 'step/start',
  data: { turn, step: number, through },
});
export const chunk = (text: string): SessionDraft => ({
  type: 'assistant/chunk',
  ignorable: true,
  data: { turn: 1, step: 1, text },
});
export const answer = (text: string, ...calls: string[]): SessionDraft => ({
  type: 'assistant/message',
  data: { turn: 1, step: 1, text, calls: calls.map((id) => ({ callId: id as CallId, tool: 'bash', input: {} })) },
});
export const call = (callId: string): SessionDraft => ({
  type: 'tool/call',
  data: { turn: 1, step: 1, callId: callId as CallId, tool: 'bash', input: { command: 'true' } },
});
export const nested = (callId: string, parent: string): SessionDraft => ({
  type: 'tool/nested-start',
  data: {
    callId: callId as CallId,
    rootCallId: parent as CallId,
    parentCallId: parent as CallId,
    tool: 'bash',
    input: {},
  },
});
export const begun = (
  callId: string,
  mode: Mode = 'workspace-write',
  more: { approvalId?: string; environmentId?: string } = {},
): SessionDraft => ({
  type: 'tool/started',
  data: {
    callId: callId as CallId,
    tool: 'bash',
    mode,
    effect: 'write',
    cwd: '/w',
    roots: ['/w'],
    ...(more as { approvalId?: ApprovalId; environmentId?: EnvironmentId }),
  },
});
export const result = (callId: string, more: Partial<Result> = {}): SessionDraft => ({
  type: 'tool/result',
  data: { callId: callId as CallId, tool: 'bash', status: 'ok', content: 'done', ...more },
});
export const turnEnd = (turn: number): SessionDraft => ({ type: 'turn/end', data: { turn, reason: 'completed' } });
export const mode = (to: Mode): SessionDraft => ({ type: 'sandbox/mode', data: { mode: to } });
export const asked = (id: string, callId: string, to: Mode = 'danger-full-access'): SessionDraft => ({
  type: 'approval/asked',
  data: {
    id: id as ApprovalId,
    tool: 'bash',
    callId: callId as CallId,
    subjectDigest: 'd',
    subject: { kind: 'command', command: 'true', cwd: '/w' },
    rule: 'asks to escalate',
    scope: { kind: 'once', from: 'workspace-write', to },
  },
});
export const decided = (id: string, outcome: 'allowed-once' | 'rejected' = 'allowed-once'): SessionDraft => ({
  type: 'approval/decided',
  data: { id: id as ApprovalId, outcome, by: 'person' },
});
export const environment = (id: string, under: Mode = 'workspace-write', retained = true): SessionDraft => ({
  type: 'environment/started',
  data: { environmentId: id as EnvironmentId, pid: 7, startTime: '70', mode: under, retained },
});
export const environmentEnd = (id: string): SessionDraft => ({
  type: 'environment/ended',
  data: { environmentId: id as EnvironmentId, reason: 'released', exitCode: 0, signal: null },
});
export const cleanup = (id: string): SessionDraft => ({
  type: 'cleanup/asked',
  data: {
    cleanupId: id as CleanupId,
    what: 'environment',
    id: 'e1',
    mode: 'workspace-write',
    cause: { kind: 'mode', seq: 1 },
  },
});
export const job = (id: string, callId: string): SessionDraft => ({
  type: 'job/started',
  data: { jobId: id as JobId, callId: callId as CallId, kind: 'command', title: 't', pid: 5, startTime: '5' },
});
export const jobEnd = (id: string): SessionDraft => ({
  type: 'job/ended',
  data: { jobId: id as JobId, outcome: 'ended', exitCode: 0, signal: null },
});
