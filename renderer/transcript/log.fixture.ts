import type { ApprovalId, CallId, CleanupId, EnvironmentId, JobId, SessionId } from '../../app/base/id.ts';
import type { Json } from '../../app/base/json.ts';
import type { SessionDraft, SessionEvent } from '../../app/session/events.ts';
import { fold, NOTHING_SAID } from '../../app/session/view/fold.ts';
import type { Result } from '../../app/tool/result.ts';
import type { EventOf, Standing } from './row.ts';

/** Any text will do as an id here. */
export const id = {
  session: (text: string) => text as SessionId,
  call: (text: string) => text as CallId,
  approval: (text: string) => text as ApprovalId,
  cleanup: (text: string) => text as CleanupId,
  environment: (text: string) => text as EnvironmentId,
  job: (text: string) => text as JobId,
};

/** Numbers drafts from `first` on, a second apart. */
export function log(drafts: readonly SessionDraft[], first = 0): readonly SessionEvent[] {
  return drafts.map(
    (draft, index) => ({ ...draft, seq: first + index, time: 1_000 * (first + index) }) as SessionEvent,
  );
}

/** How it stands at the end of these events, all of them loaded. */
export function standingOf(events: readonly SessionEvent[], also: Partial<Standing> = {}): Standing {
  const { turn, queued, approvals, cleanups } = events.reduce(fold, NOTHING_SAID);
  const length = (events.at(-1)?.seq ?? -1) + 1;
  const now = { queued, approvals, cleanups, first: events[0]?.seq ?? 0, end: length, length, gaps: [] };
  return { ...now, ...(turn !== undefined && { turn }), ...also };
}

export function said(text: string, queued = false): SessionDraft {
  return { type: 'user/message', data: { text, origin: 'person', queued } };
}

export function turnStart(turn: number, prompt: number): SessionDraft {
  return { type: 'turn/start', data: { turn, prompt } };
}

export function stepStart(turn: number, step: number, through = 0): SessionDraft {
  return { type: 'step/start', data: { turn, step, through } };
}

export function chunk(text: string, turn = 1, step = 1): SessionDraft {
  return { type: 'assistant/chunk', ignorable: true, data: { turn, step, text } };
}

export function answer(text: string, turn = 1, step = 1): SessionDraft {
  return { type: 'assistant/message', data: { turn, step, text, calls: [] } };
}

export function call(callId: string, tool: string, input: Json, turn = 1): SessionDraft {
  return { type: 'tool/call', data: { turn, step: 1, callId: id.call(callId), tool, input } };
}

export function started(callId: string, tool: string, environmentId?: string, approvalId?: string): SessionDraft {
  return {
    type: 'tool/started',
    data: {
      callId: id.call(callId),
      tool,
      mode: 'workspace-write',
      effect: 'write',
      cwd: '/work',
      roots: ['/work'],
      ...(environmentId !== undefined && { environmentId: id.environment(environmentId) }),
      ...(approvalId !== undefined && { approvalId: id.approval(approvalId) }),
    },
  };
}

export function result(callId: string, tool: string, also: Partial<Result> = {}): SessionDraft {
  return { type: 'tool/result', data: { callId: id.call(callId), tool, status: 'ok', content: '', ...also } };
}

export function nestedStart(callId: string, root: string, tool: string, input: Json): SessionDraft {
  const ids = { callId: id.call(callId), rootCallId: id.call(root), parentCallId: id.call(root) };
  return { type: 'tool/nested-start', data: { ...ids, tool, input } };
}

export function nestedResult(callId: string, root: string, tool: string, also: Partial<Result> = {}): SessionDraft {
  const ids = { callId: id.call(callId), rootCallId: id.call(root), parentCallId: id.call(root) };
  return { type: 'tool/nested-result', data: { ...ids, tool, status: 'ok', content: '', ...also } };
}

export function environmentStarted(environmentId: string, retained = true): SessionDraft {
  const process = { pid: 4711, startTime: '99' };
  return {
    type: 'environment/started',
    data: { environmentId: id.environment(environmentId), ...process, mode: 'workspace-write', retained },
  };
}

export function environmentEnded(environmentId: string, cleanupId?: string): SessionDraft {
  return {
    type: 'environment/ended',
    data: {
      environmentId: id.environment(environmentId),
      reason: 'mode-changed',
      exitCode: null,
      signal: 'SIGKILL',
      ...(cleanupId !== undefined && { cleanupId: id.cleanup(cleanupId) }),
    },
  };
}

export function cleanupAsked(cleanupId: string, of: string, seq?: number): SessionDraft {
  return {
    type: 'cleanup/asked',
    data: {
      cleanupId: id.cleanup(cleanupId),
      what: 'environment',
      id: of,
      pid: 4711,
      mode: 'workspace-write',
      cause: { kind: 'mode', ...(seq !== undefined && { seq }) },
    },
  };
}

export function cleanupEnded(cleanupId: string, error?: string): SessionDraft {
  return {
    type: 'cleanup/ended',
    data: {
      cleanupId: id.cleanup(cleanupId),
      phase: error === undefined ? 'released' : 'killing',
      attempts: 1,
      ...(error !== undefined && { failed: { error } }),
    },
  };
}

export function jobStarted(
  jobId: string,
  callId: string,
  also: Partial<EventOf<'job/started'>['data']> = {},
): SessionDraft {
  const process = { pid: 4711, startTime: '99' };
  return {
    type: 'job/started',
    data: { jobId: id.job(jobId), callId: id.call(callId), kind: 'command', title: 'Serve', ...process, ...also },
  };
}

export function jobEnded(jobId: string, also: Partial<EventOf<'job/ended'>['data']> = {}): SessionDraft {
  return { type: 'job/ended', data: { jobId: id.job(jobId), outcome: 'ended', exitCode: 0, signal: null, ...also } };
}

export function hookRan(also: Partial<EventOf<'hook/ran'>['data']> = {}): SessionDraft {
  const data = { hook: './check.sh', on: 'PreToolUse', exitCode: 0, signal: null, durationMs: 20, ...also } as const;
  return { type: 'hook/ran', data };
}

export function asked(approvalId: string, callId: string): SessionDraft {
  return {
    type: 'approval/asked',
    data: {
      id: id.approval(approvalId),
      tool: 'run_code',
      callId: id.call(callId),
      subjectDigest: 'd',
      subject: { kind: 'program', code: '1', title: 'One', cwd: '/work' },
      rule: 'The rule.',
      scope: { kind: 'once', from: 'workspace-write', to: 'danger-full-access' },
    },
  };
}
