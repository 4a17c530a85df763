import type { CallId } from '../base/id.ts';
import type { Draft } from '../log/event.ts';

/** The points of a Session's work at which hooks run (agent.md, Hooks). */
export const HOOK_POINTS = ['PreToolUse', 'PostToolUse', 'SessionStart', 'UserPromptSubmit', 'Stop'] as const;
export type HookPoint = (typeof HOOK_POINTS)[number];

export type HookDecision = 'allow' | 'deny' | 'ask';

/** One hook that ran, and what came of it. A process that never started has neither exit code nor signal. */
export type HookEvent = Draft<
  'hook/ran',
  {
    /** Its command line, as a person wrote it. */
    readonly hook: string;
    readonly on: HookPoint;
    readonly callId?: CallId;
    readonly decision?: HookDecision;
    readonly reason?: string;
    readonly exitCode: number | null;
    readonly signal: string | null;
    readonly durationMs: number;
  }
>;
