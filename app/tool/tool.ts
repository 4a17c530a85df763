import type { ZodType } from 'zod';
import type { Subject } from '../approval/events.ts';
import type { ApprovalId, CallId, EnvironmentId } from '../base/id.ts';
import type { CleanupCause, What } from '../cleanup/cleanup.ts';
import type { LeaseRun } from '../lease/lease.ts';
import type { Mode } from '../sandbox/mode.ts';
import type { Closed, EndPhase, ProcessIdentity } from '../sandbox/provider.ts';
import type { Effect } from './events.ts';
import type { Confinement } from './ports.ts';
import type { Outcome, Receipt } from './result.ts';

/** Where live output came from; `log` is what a program says through its console. */
export type OutputStream = 'stdout' | 'stderr' | 'log';

export type Presentation = 'generic' | 'terminal' | 'diff' | 'program';

/**
 * One thing a driver or a program may call. It declares what it may do; `dispatch` decides whether it may, and in which
 * order. A tool enforces nothing by itself but what only its body can see.
 */
export interface Tool<Input = unknown> {
  readonly name: string;
  /** For the model. */
  readonly description: string;
  /** Strict: an unknown key is invalid input. */
  readonly input: ZodType<Input>;
  readonly effect: Effect;
  readonly presentation: Presentation;
  /** Available to programs (contract.md, Tools). */
  readonly nested: boolean;
  /** Present where a call may ask for a wider Mode, once: what the model is told of it (policy.md). */
  readonly escalates?: string;
  /** What it is called in Started and Cleanup; only tools that start processes have one. */
  readonly starts?: What;
  /**
   * What may be said before anything runs: what the call may write, and whether the policy rules it out already. Asked
   * again whenever the Mode changed since. Reading tools answer `writes: 'none'`.
   */
  plan(input: Input, at: Confinement, signal: AbortSignal): Promise<CallPlan>;
  /** What exactly a person is asked about, when the call asks to escalate. */
  subject(input: Input, at: Confinement, signal: AbortSignal): Promise<Subject>;
  /** Runs after `tool/started` is durable, unless the tool calls `run.started` itself. */
  run(input: Input, run: ToolRun, signal: AbortSignal): Promise<Outcome>;
  /**
   * What must be over before the call is judged: awaited first, and again whenever the policy changed meanwhile. Its
   * refusal ends the call.
   */
  ready?(signal: AbortSignal): Promise<Outcome | undefined>;
  /** True for a tool that knows only later in its body what starts: it calls `run.started` itself, exactly once. */
  readonly startsItself?: boolean;
}

export interface CallPlan {
  /** Absolute canonical paths; `whole` for an undeclared writer. */
  readonly writes: 'none' | 'whole' | readonly [string, ...string[]];
  /** Why nothing may run under this policy; an escalation may still be asked for. */
  readonly refusal?: Outcome;
}

/** What a body is given of its call. */
export interface ToolRun {
  readonly callId: CallId;
  /** The policy this very call runs under: the standing one, or the escalated one once. */
  readonly at: Confinement;
  /** The standing Mode at the time of the call; differs from `at` only in an escalated call. */
  readonly standing: Mode;
  readonly approvalId?: ApprovalId;
  /** What a person was shown and has allowed; what the call does must be exactly that. */
  readonly approved?: Subject;
  /** What the plan said that it would write. */
  readonly writes: CallPlan['writes'];
  /** The run this call takes part in; the calls it makes take part in the same one. */
  readonly lease: LeaseRun;
  /** What this Session has read or written, by path: SHA-256 at that time (contract.md, Tools). */
  readonly seen: Map<string, string>;
  /** Whether a retained Environment stands beside this call, for its receipt. */
  standingEnvironment(): Receipt['standing'];
  /** Live output, never logged. */
  output(stream: OutputStream, text: string): void;
  /** Records `tool/started`; durable when it resolves. Rejects with a StorageError: then nothing may start. */
  started(environmentId?: EnvironmentId): Promise<void>;
  /** Throws what makes `dispatch` judge the call anew when the policy changed since its verdict; else does nothing. */
  recheck(): void;
  /**
   * Tells of a process that the body started. From now on a cancel of the call ends it as a visible, retryable Cleanup.
   * Call `end` for an ending that the body itself wants (a limit), `gone` when it ended by itself.
   */
  track(process: TrackedProcess): Tracking;
}

export interface TrackedProcess {
  readonly title: string;
  readonly process: ProcessIdentity;
  close(onPhase: (phase: EndPhase) => void): Promise<Closed>;
}

export interface Tracking {
  end(cause: CleanupCause): void;
  gone(): void;
}
