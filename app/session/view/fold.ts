import type { ApprovalId, CallId, CleanupId, EnvironmentId, JobId, SessionId } from '../../base/id.ts';
import type { What } from '../../cleanup/cleanup.ts';
import { foldPolicy, NO_POLICY, type PolicyState } from '../../policy/fold.ts';
import type { Mode } from '../../sandbox/mode.ts';
import type { ProposedCall, SessionEvent, TurnEndReason } from '../events.ts';

/** What a log has said so far, bounded by what is open and not by its length. Main and the window share this fold. */
export interface Folded {
  readonly policy: PolicyState;
  readonly title?: string;
  /** The first line of the first message that has one: what an untitled Session is called. */
  readonly opening?: string;
  /** What the model was last told of the policy. */
  readonly context?: string;
  /** Turns started so far. */
  readonly turns: number;
  /** The open turn. */
  readonly turn?: number;
  readonly lastEnd?: TurnEndReason;
  /** Whole answers of the model so far: where a script goes on. */
  readonly answers: number;
  /** Accepted messages that wait for a turn or a step, as a door shows them. */
  readonly queued: readonly number[];
  /**
   * Accepted messages that no step has seen and no hook has refused: those of a turn that ended before its first step
   * among them. Whether they may reach a model is asked anew.
   */
  readonly unseen: readonly number[];
  /** Calls that an answer proposed and that are not in the log yet. */
  readonly proposed: readonly (ProposedCall & { readonly step: number })[];
  /** Calls without a result, nested ones included. */
  readonly calls: readonly OpenCall[];
  readonly approvals: readonly ApprovalId[];
  readonly environments: readonly OpenEnvironment[];
  readonly cleanups: readonly OpenCleanup[];
  /** Jobs without an end; a Session has at most ten at once. */
  readonly jobs: readonly JobId[];
  readonly children: readonly Child[];
}

export interface OpenCall {
  readonly callId: CallId;
  readonly tool: string;
  readonly started: boolean;
  readonly nestedIn?: { readonly rootCallId: CallId; readonly parentCallId: CallId };
}

export interface OpenEnvironment {
  readonly id: EnvironmentId;
  readonly pid: number;
  readonly startTime: string;
  readonly mode: Mode;
  readonly retained: boolean;
}

export interface OpenCleanup {
  readonly cleanupId: CleanupId;
  readonly what: What;
  readonly id: string;
  readonly pid?: number;
  readonly mode: Mode;
  readonly attempts: number;
  readonly since: number;
  readonly failed?: { readonly error: string };
}

export interface Child {
  readonly sessionId: SessionId;
  readonly callId: CallId;
  readonly title: string;
  readonly background: boolean;
}

export const NOTHING_SAID: Folded = {
  policy: NO_POLICY,
  turns: 0,
  answers: 0,
  queued: [],
  unseen: [],
  proposed: [],
  calls: [],
  approvals: [],
  environments: [],
  cleanups: [],
  jobs: [],
  children: [],
};

/** One more event. The same reference comes back when it changes nothing. */
export function fold(state: Folded, event: SessionEvent): Folded {
  switch (event.type) {
    case 'sandbox/mode':
    case 'approval/policy':
    case 'permission/preset':
    case 'sandbox/settings':
      return { ...state, policy: foldPolicy(state.policy, event) };
    case 'session/title':
      return { ...state, title: event.data.title };
    case 'context/policy':
      return event.data.text === state.context ? state : { ...state, context: event.data.text };
    case 'session/end-seed':
      return endSeed(state);
    case 'session/delegated': {
      const { childId, callId, title, background } = event.data;
      return { ...state, children: [...state.children, { sessionId: childId, callId, title, background }] };
    }
    case 'approval/asked':
      return { ...state, approvals: [...state.approvals, event.data.id] };
    case 'approval/decided':
      return { ...state, approvals: state.approvals.filter((id) => id !== event.data.id) };
    case 'environment/started':
    case 'environment/ended':
    case 'cleanup/asked':
    case 'cleanup/ended':
    case 'job/started':
    case 'job/ended':
      return foldProcesses(state, event);
    default:
      return foldTurn(state, event);
  }
}

/** What was left open before the marker belongs to a dead lifetime (sessions.md, Seed). */
function endSeed(state: Folded): Folded {
  const { turn: _dead, ...rest } = state;
  return { ...rest, proposed: [], calls: [], approvals: [], environments: [], cleanups: [], jobs: [] };
}

function foldTurn(state: Folded, event: SessionEvent): Folded {
  switch (event.type) {
    case 'user/message':
      return foldMessage(state, event);
    case 'turn/start': {
      const { turn, prompt } = event.data;
      const queued = state.queued.filter((seq) => seq !== prompt);
      return { ...state, turn, turns: Math.max(state.turns, turn), queued };
    }
    case 'step/start': {
      const { through } = event.data;
      if ([...state.queued, ...state.unseen].every((seq) => seq > through)) return state;
      const isLater = (seq: number) => seq > through;
      return { ...state, queued: state.queued.filter(isLater), unseen: state.unseen.filter(isLater) };
    }
    case 'hook/ran':
      return foldHook(state, event);
    case 'turn/end': {
      const { turn: _ended, ...rest } = state;
      return { ...rest, lastEnd: event.data.reason, proposed: [] };
    }
    default:
      return foldCall(state, event);
  }
}

function foldMessage(state: Folded, event: SessionEvent & { type: 'user/message' }): Folded {
  const { text, queued } = event.data;
  const opening = state.opening ?? firstLine(typeof text === 'string' ? text : text.text);
  const unseen = [...state.unseen, event.seq];
  const waiting = queued ? [...state.queued, event.seq] : state.queued;
  return { ...state, ...(opening !== '' && { opening }), queued: waiting, unseen };
}

/** A hook that asks about a message refuses it as well: nobody can be asked there. */
function foldHook(state: Folded, { data }: SessionEvent & { type: 'hook/ran' }): Folded {
  const { prompt, decision } = data;
  if (prompt === undefined || (decision !== 'deny' && decision !== 'ask')) return state;
  if (!state.unseen.includes(prompt)) return state;
  return { ...state, unseen: state.unseen.filter((seq) => seq !== prompt) };
}

function foldCall(state: Folded, event: SessionEvent): Folded {
  switch (event.type) {
    case 'assistant/message': {
      const { calls, step } = event.data;
      return { ...state, answers: state.answers + 1, proposed: calls.map((call) => ({ ...call, step })) };
    }
    case 'tool/call': {
      const { callId, tool } = event.data;
      const proposed = state.proposed.filter((call) => call.callId !== callId);
      return { ...state, proposed, calls: [...state.calls, { callId, tool, started: false }] };
    }
    case 'tool/nested-start': {
      const { callId, tool, rootCallId, parentCallId } = event.data;
      const nested = { callId, tool, started: false, nestedIn: { rootCallId, parentCallId } };
      return { ...state, calls: [...state.calls, nested] };
    }
    case 'tool/started': {
      const { callId } = event.data;
      return {
        ...state,
        calls: state.calls.map((call) => (call.callId === callId ? { ...call, started: true } : call)),
      };
    }
    case 'tool/result':
    case 'tool/nested-result':
      return { ...state, calls: state.calls.filter((call) => call.callId !== event.data.callId) };
    default:
      return state;
  }
}

function foldProcesses(state: Folded, event: SessionEvent): Folded {
  switch (event.type) {
    case 'environment/started': {
      const { environmentId: id, pid, startTime, mode, retained } = event.data;
      return { ...state, environments: [...state.environments, { id, pid, startTime, mode, retained }] };
    }
    case 'environment/ended': {
      const { environmentId } = event.data;
      return { ...state, environments: state.environments.filter((open) => open.id !== environmentId) };
    }
    case 'cleanup/asked': {
      const { cause: _cause, ...asked } = event.data;
      return { ...state, cleanups: [...state.cleanups, { ...asked, attempts: 1, since: event.time }] };
    }
    case 'cleanup/ended': {
      const { cleanupId, attempts, failed } = event.data;
      const others = state.cleanups.filter((open) => open.cleanupId !== cleanupId);
      const ended = state.cleanups.find((open) => open.cleanupId === cleanupId);
      return { ...state, cleanups: failed && ended ? [...others, { ...ended, attempts, failed }] : others };
    }
    case 'job/started':
      return { ...state, jobs: [...state.jobs, event.data.jobId] };
    case 'job/ended':
      return { ...state, jobs: state.jobs.filter((open) => open !== event.data.jobId) };
    default:
      return state;
  }
}

const OPENING_LENGTH = 80;

function firstLine(text: string): string {
  const line = text.trimStart().split('\n', 1)[0] ?? '';
  return Array.from(line.slice(0, 2 * OPENING_LENGTH))
    .slice(0, OPENING_LENGTH)
    .join('')
    .toWellFormed()
    .trimEnd();
}
