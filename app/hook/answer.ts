import { cut } from '../tool/cut.ts';
import type { HookDecision, HookPoint } from './events.ts';

/** How a hook's process came to its end, and what it printed; both texts are the beginning of what was printed. */
export interface HookEnd {
  readonly exitCode: number | null;
  readonly signal: string | null;
  readonly stdout: string;
  readonly stderr: string;
  /** There was more of `stdout`. */
  readonly isCut: boolean;
  /** Why it has no end of its own: it never started, its time was up, or it was ended. */
  readonly unanswered?: { readonly kind: 'failed' | 'cancelled'; readonly why: string };
}

export interface HookAnswer {
  readonly decision?: HookDecision;
  readonly reason?: string;
  readonly context?: string;
}

const LONGEST_REASON = 2_000;
const LONGEST_CONTEXT = 10_000;
const NO_REASON = 'it gave no reason';

/**
 * Exit 2 denies, with what was printed on stderr as the reason; exit 0 may say more in JSON; any other exit is a failure
 * of the hook that decides nothing. A hook that was asked whether something may happen and did not come to answer has not
 * said yes.
 */
export function readAnswer(on: HookPoint, end: HookEnd): HookAnswer {
  const { exitCode, signal, stderr, unanswered } = end;
  if (unanswered?.kind === 'cancelled') return { reason: unanswered.why };
  if (unanswered) return silent(on, unanswered.why);
  if (signal !== null || exitCode === null) return silent(on, `it was ended by ${signal ?? 'a signal'}`);
  if (exitCode === 2) return { decision: 'deny', reason: told(stderr) || NO_REASON };
  if (exitCode !== 0) return { reason: told(`it failed with exit code ${exitCode}: ${stderr.trim()}`) };
  return readOutput(on, end);
}

/** Points at which a hook is asked for leave. */
export function asksLeave(on: HookPoint): boolean {
  return on === 'PreToolUse' || on === 'UserPromptSubmit';
}

function silent(on: HookPoint, why: string): HookAnswer {
  return { ...(asksLeave(on) && { decision: 'deny' as const }), reason: told(why) };
}

function readOutput(on: HookPoint, { stdout, isCut }: HookEnd): HookAnswer {
  // Half of an object may have lost its decision.
  if (isCut && stdout.trimStart().startsWith('{')) return silent(on, 'its answer is too long to be read');
  const json = objectIn(stdout);
  if (json) return readObject(on, json);
  // Plain text is no decision. Where a prompt is taken it is meant for the model.
  const isContext = on === 'SessionStart' || on === 'UserPromptSubmit';
  return isContext && stdout.trim() !== '' ? { context: contextOf(stdout) } : {};
}

type Members = { readonly [name: string]: unknown };

function readObject(on: HookPoint, json: Members): HookAnswer {
  const nested = isObject(json['hookSpecificOutput']) ? json['hookSpecificOutput'] : {};
  const decisions = [json['decision'], nested['permissionDecision']].flatMap(decisionIn);
  // To stop everything is no wish to go on.
  if (json['continue'] === false && on !== 'Stop') decisions.push('deny');
  const decision = json['continue'] === false && on === 'Stop' ? undefined : narrowest(decisions);
  const said = [json['reason'], nested['permissionDecisionReason'], json['stopReason']].find(isText);
  const context = [json['context'], nested['additionalContext']].filter(isText).join('\n');
  const reason = said === undefined ? undefined : told(said);
  const owed = decision !== undefined && decision !== 'allow' ? (reason ?? NO_REASON) : reason;
  return {
    ...(decision !== undefined && { decision }),
    ...(owed !== undefined && { reason: owed }),
    ...(context !== '' && { context: contextOf(context) }),
  };
}

/** A decision that we do not know is one that we cannot keep: it never falls through to more access. */
function decisionIn(value: unknown): readonly HookDecision[] {
  switch (value) {
    case undefined:
    case null:
      return [];
    case 'allow':
    case 'approve':
      return ['allow'];
    case 'ask':
      return ['ask'];
    default:
      return ['deny'];
  }
}

/** Deny beats ask beats allow. */
export function narrowest(decisions: readonly HookDecision[]): HookDecision | undefined {
  return (['deny', 'ask', 'allow'] as const).find((decision) => decisions.includes(decision));
}

function objectIn(stdout: string): Members | undefined {
  if (!stdout.trimStart().startsWith('{')) return undefined;
  try {
    const value: unknown = JSON.parse(stdout);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isObject(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value.trim() !== '';
}

function told(text: string): string {
  return cut(text.trim().toWellFormed(), LONGEST_REASON);
}

function contextOf(text: string): string {
  return cut(text.trim().toWellFormed(), LONGEST_CONTEXT);
}
