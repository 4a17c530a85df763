import type { CallId } from '../base/id.ts';
import type { Draft } from '../log/event.ts';
import type { HookPoint } from '../policy/settingsHooks.ts';

export type { HookPoint } from '../policy/settingsHooks.ts';

export type HookDecision = 'allow' | 'deny' | 'ask';

/**
 * One hook that ran, and what came of it: recorded once per run, also when it was cancelled. A process that never started,
 * or was ended before it said how it ended, has neither exit code nor signal.
 */
export type HookEvent = Draft<
  'hook/ran',
  {
    /** Its command line, as a person wrote it; in words where nobody knows which hooks there are, and that refused a message. */
    readonly hook: string;
    readonly on: HookPoint;
    readonly callId?: CallId;
    /** The message that a `UserPromptSubmit` hook was told of. */
    readonly prompt?: number;
    readonly decision?: HookDecision;
    /** Why it decided so, or what went wrong with it. */
    readonly reason?: string;
    /** What it has to say to the model; bound to a call it is part of that call's result instead. */
    readonly context?: string;
    readonly exitCode: number | null;
    readonly signal: string | null;
    readonly durationMs: number;
  }
>;
