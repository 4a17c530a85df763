import type { CancelCause } from '../base/cancel.ts';
import type { ApprovalId, CallId, EnvironmentId } from '../base/id.ts';
import type { Json } from '../base/json.ts';
import type { Text } from '../base/text.ts';
import type { Denied } from '../sandbox/denied.ts';
import type { Facts } from '../sandbox/facts.ts';
import type { Mode } from '../sandbox/mode.ts';
import type { Unavailable } from '../sandbox/provider.ts';
import { unavailableText } from '../sandbox/unavailable.ts';

/** `refused`: nothing ran. `failed`: started and failed. `ok`: ran to its end, whatever the exit code. */
export type Status = 'ok' | 'refused' | 'failed' | 'cancelled' | 'unknown';

export const RESULT_CODES = [
  'unknown-tool',
  'invalid-input',
  'denied',
  'not-wider',
  'rejected',
  'approval-cancelled',
  'unavailable',
  'SANDBOX_UNAVAILABLE',
  'CLEANUP_FAILED',
  'workspace-missing',
  'lease-held',
  'lease-lost',
  'owned-by-task',
  'hook-denied',
  'not-read',
  'stale',
  'not-found',
  'not-unique',
  'binary',
  'timeout',
  'heap-limit',
  'memory-limit',
  'process-limit',
  'output-limit',
  'temp-limit',
  'syntax',
  'exception',
  'environment-lost',
  'mode-changed',
  'stopped',
  'shutdown',
  'storage',
  'TOOL_NOT_STARTED',
  'TOOL_OUTCOME_UNKNOWN',
] as const;
export type ResultCode = (typeof RESULT_CODES)[number];

/** What an approved call left behind as proof (policy.md, One-time escalation); `verify` replays it from the log. */
export interface Receipt {
  readonly approvalId: ApprovalId;
  readonly environmentId?: EnvironmentId;
  readonly pid?: number;
  readonly startTime?: string;
  readonly path?: string;
  /** SHA-256 of the file before and after; `before` is absent for a new file. */
  readonly before?: string;
  readonly after?: string;
  readonly mode: Mode;
  readonly exitCode: number | null;
  readonly signal: string | null;
  readonly releasedBeforeReturn: boolean;
  readonly standing: 'unchanged' | 'none';
}

/** What a tool body says of its run. `content` is exactly the text that the model receives. */
export interface Outcome {
  readonly status: Status;
  readonly code?: ResultCode;
  readonly content: string;
  readonly value?: Json;
  readonly facts?: Facts;
  readonly logs?: Text;
  readonly display?: readonly Json[];
  readonly denied?: readonly Denied[];
  readonly lost?: { readonly reason: string };
  readonly receipt?: Receipt;
  /** What the end of the call could not clean up; `content` says so too. */
  readonly cleanupError?: string;
}

/** The result of a call as logged, shown and returned to the caller. */
export interface Result extends Outcome {
  readonly callId: CallId;
  readonly tool: string;
}

export function refused(code: ResultCode, content: string): Outcome {
  return { status: 'refused', code, content };
}

/** Nothing can run here, or not in this workspace. */
export function refusedAs(unavailable: Unavailable): Outcome {
  return refused(unavailable.code, unavailableText(unavailable));
}

export function failed(code: ResultCode, content: string): Outcome {
  return { status: 'failed', code, content };
}

/** A call that was cancelled: not failed, not refused. The cause gives the code. */
export function cancelled(cause: CancelCause, content: string): Outcome {
  return { status: 'cancelled', code: codeOfCancel(cause), content };
}

export function codeOfCancel(cause: CancelCause): ResultCode {
  switch (cause.kind) {
    case 'mode-changed':
    case 'settings-changed':
      return 'mode-changed';
    case 'shutdown':
    case 'unload':
      return 'shutdown';
    case 'timeout':
      return 'timeout';
    default:
      return 'stopped';
  }
}
