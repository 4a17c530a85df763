import type { CleanupId, SessionId } from '../base/id.ts';
import type { Draft } from '../log/event.ts';
import type { Mode } from '../sandbox/mode.ts';
import type { EndPhase, ProcessIdentity } from '../sandbox/provider.ts';

export type What = 'program' | 'environment' | 'command' | 'nested' | 'job' | 'hook' | 'agent';

/** One thing that a Session started and that still lives. `id` is its environment, call or job id. */
export interface StartedItem {
  readonly what: What;
  readonly id: string;
  readonly title: string;
  readonly mode: Mode;
  /** The standing Mode it was admitted under, where an escalation gave it another: a switch is judged by this one. */
  readonly standing?: Mode;
  readonly process?: ProcessIdentity;
}

export interface CleanupCause {
  readonly kind: 'mode' | 'settings' | 'stop' | 'escalation' | 'reset' | 'idle' | 'limit' | 'unload' | 'shutdown';
  /** The event that caused it. */
  readonly seq?: number;
}

/** An ending that the product causes, as every door sees it. `failed` stands beside `phase`: it hides nothing. */
export interface Cleanup {
  readonly cleanupId: CleanupId;
  readonly sessionId: SessionId;
  readonly what: What;
  readonly id: string;
  readonly title: string;
  readonly pid?: number;
  readonly startTime?: string;
  readonly mode: Mode;
  readonly cause: CleanupCause;
  readonly phase: EndPhase;
  readonly attempts: number;
  /** Epoch ms of the first attempt. */
  readonly since: number;
  readonly failed?: { readonly error: string };
}

export type CleanupEvent =
  | Draft<
      'cleanup/asked',
      {
        readonly cleanupId: CleanupId;
        readonly what: What;
        readonly id: string;
        readonly pid?: number;
        readonly mode: Mode;
        readonly cause: CleanupCause;
      }
    >
  | Draft<
      'cleanup/ended',
      {
        readonly cleanupId: CleanupId;
        readonly phase: EndPhase;
        readonly attempts: number;
        readonly failed?: { readonly error: string };
      }
    >;
