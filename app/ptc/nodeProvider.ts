import type { EnvironmentId, SessionId } from '../base/id.ts';
import type { Json } from '../base/json.ts';
import type { Text } from '../base/text.ts';
import type { CleanupEvent } from '../cleanup/cleanup.ts';
import type { Journal } from '../log/journal.ts';
import type { PolicyEvent } from '../policy/events.ts';
import type { PolicyState } from '../policy/fold.ts';
import type { Mode } from '../sandbox/mode.ts';
import type { SandboxPolicy } from '../sandbox/policy.ts';
import type { Enforcement, ProcessIdentity, Unavailable } from '../sandbox/provider.ts';
import type { ToolEvent } from '../tool/events.ts';
import type { OutputStream } from '../tool/tool.ts';
import type { EnvironmentEnd, EnvironmentEvent } from './events.ts';

/** Starts and keeps sandboxed Node processes that evaluate programs (ptc.md). */
export interface NodeProvider {
  /**
   * Parses and normalises before anything starts: no process is spent on a syntax error. A program that takes long to
   * parse holds up nothing but its own call.
   */
  prepare(code: string, signal: AbortSignal): Promise<PreparedProgram | SyntaxFault>;
  /** Follows one Session's log: every committed change of Mode or settings invalidates its Environments at once. */
  attach(session: EnvironmentSession): SessionEnvironments;
  /** Removes its observers and ends every Environment: no process, listener or timer remains. */
  close(): Promise<void>;
}

/** A Session as the Node provider sees it. */
export interface EnvironmentSession {
  readonly id: SessionId;
  readonly journal: Journal<PolicyEvent | EnvironmentEvent | CleanupEvent | ToolEvent>;
  policyState(): PolicyState;
}

export interface SessionEnvironments {
  /**
   * Resolves when no process of an older Mode or settings of this Session lives. A failed cleanup is tried once more
   * here; when that fails too, the failure comes back and nothing may run.
   */
  settled(signal: AbortSignal): Promise<CleanupFailed | undefined>;
  /**
   * With `owner`: the owner's retained Environment, started when there is none; with another key than the one it has,
   * a conflict (the caller releases first). Without: a fresh temporary one.
   */
  acquire(
    request: EnvironmentRequest,
    signal: AbortSignal,
  ): Promise<Environment | KeyConflict | CleanupFailed | Unavailable>;
  list(): readonly EnvironmentRow[];
  /** Ends the retained Environments, with the cause recorded; variables are gone. */
  reset(): Promise<void>;
  close(): Promise<void>;
}

export interface EnvironmentRequest {
  readonly policy: SandboxPolicy;
  /** The standing Mode that the call was admitted under; differs from `policy.mode` in an escalated call alone. */
  readonly standing: Mode;
  /** Agent identity that a retained Environment belongs to. Absent: temporary. */
  readonly owner?: string;
}

export interface Environment {
  readonly kind: 'environment';
  readonly id: EnvironmentId;
  readonly process: ProcessIdentity;
  readonly mode: Mode;
  readonly enforcement: Enforcement;
  readonly retained: boolean;
  /** Why this owner's variables of earlier calls are gone; told once, to the first run after the loss. */
  readonly lost?: { readonly reason: EnvironmentEnd };
  /**
   * Runs one program. An abort of `signal` stops it softly where the watchdog answers (variables kept), else ends the
   * process. Resolves when the program is over; nested calls are the bridge's business.
   */
  run(program: PreparedProgram, bridge: ProgramBridge, signal: AbortSignal): Promise<Completion>;
  /** For a temporary Environment: resolves when nothing of it is alive. A failure is a Cleanup that can be retried. */
  release(): Promise<Released>;
}

export interface Released {
  readonly exitCode: number | null;
  readonly signal: string | null;
  readonly error?: string;
}

/** What the program may reach outside its process. Arguments are validated and rebuilt before they get here. */
export interface ProgramBridge {
  readonly tools: readonly string[];
  call(tool: string, input: Json): Promise<NestedReply>;
  log(stream: OutputStream, text: string): void;
  display(value: Json): void;
}

export type NestedReply =
  | { readonly ok: true; readonly value: Json | undefined }
  | { readonly ok: false; readonly tool: string; readonly code: string; readonly message: string };

export interface PreparedProgram {
  readonly kind: 'program';
  /** Evaluated as it is in REPL mode, or through the async wrapper when `wrapped`. */
  readonly source: string;
  readonly wrapped: boolean;
}

export interface SyntaxFault {
  readonly kind: 'syntax';
  readonly message: string;
  /** From 1, in the program as written. */
  readonly line: number;
  readonly column: number;
}

/** How a program ended. `kept`: the Environment lives and its variables are there for the next call. */
export type Completion = {
  readonly kept: boolean;
  readonly logs: Text;
  readonly display: readonly Json[];
  /** Rejections and throwing timers that earlier programs left behind, and this one's. */
  readonly late: readonly string[];
} & (
  | { readonly kind: 'value'; readonly value: Json }
  /** No lossless JSON: bounded inspect text. */
  | { readonly kind: 'inspected'; readonly text: string }
  | { readonly kind: 'exception'; readonly name: string; readonly message: string; readonly stack: string }
  | { readonly kind: 'stopped' }
  | {
      readonly kind: 'lost';
      readonly reason: EnvironmentEnd;
      readonly exitCode: number | null;
      readonly signal: string | null;
    }
);

export interface EnvironmentRow {
  readonly id: EnvironmentId;
  readonly sessionId: SessionId;
  readonly pid: number;
  readonly startTime: string;
  readonly mode: Mode;
  readonly enforcement: Enforcement;
  readonly retained: boolean;
  readonly idle: boolean;
  readonly variables: readonly string[];
}

export interface KeyConflict {
  readonly kind: 'key-conflict';
  readonly message: string;
}

export interface CleanupFailed {
  readonly kind: 'cleanup-failed';
  readonly code: 'CLEANUP_FAILED';
  readonly cleanupId: string;
  readonly pid?: number;
  readonly phase: string;
  readonly error: string;
}
