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
  // Without a byte-order mark too: it counts as a space.
  const text = stdout.trim();
  if (text.startsWith('{')) {
    // Half of an object may have lost its decision.
    if (isCut) return silent(on, 'its answer is too long to be read');
    const answers = objectsIn(text);
    return answers ? strictest(answers.map((json) => readObject(on, json))) : silent(on, 'its answer is no valid JSON');
  }
  const said = linesOfJson(text).map((json) => readObject(on, json));
  const refusals = said.filter(({ decision }) => decision === 'deny' || decision === 'ask');
  if (refusals.length > 0) return strictest(refusals);
  // Plain text is no decision. Where a prompt is taken it is meant for the model.
  const isContext = on === 'SessionStart' || on === 'UserPromptSubmit';
  return isContext && text !== '' ? { context: contextOf(text) } : {};
}

/** Several objects are as many answers, of which the strictest counts. */
function strictest(answers: readonly HookAnswer[]): HookAnswer {
  const decision = narrowest(answers.flatMap((answer) => answer.decision ?? []));
  const reasons = answers.flatMap((answer) => (answer.decision === decision ? (answer.reason ?? []) : []));
  const context = answers.flatMap((answer) => answer.context ?? []).join('\n');
  return {
    ...(decision !== undefined && { decision }),
    ...(reasons.length > 0 && { reason: told(reasons.join('; ')) }),
    ...(context !== '' && { context: contextOf(context) }),
  };
}

type Members = { readonly [name: string]: unknown };

function readObject(on: HookPoint, json: Members): HookAnswer {
  const specific = json['hookSpecificOutput'] ?? {};
  const nested = isObject(specific) ? specific : {};
  const decisions = [json['decision'], nested['permissionDecision']].flatMap(decisionIn);
  // What is no object may have a decision in it that nobody reads.
  if (!isObject(specific) && asksLeave(on)) decisions.push('deny');
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

/** One object, or one a line; undefined when anything else is among them. */
function objectsIn(text: string): readonly Members[] | undefined {
  const one = objectIn(text);
  if (one) return [one];
  const lines = text.split('\n').filter((each) => each.trim() !== '');
  const objects = lines.map(objectIn).filter((object) => object !== undefined);
  return objects.length === lines.length ? objects : undefined;
}

/** What a hook answers behind lines of its own log: from an object's first line to the end, or in single lines. */
function linesOfJson(text: string): readonly Members[] {
  const lines = text.split('\n');
  const first = lines.findIndex((each) => each.trimStart().startsWith('{'));
  if (first < 0) return [];
  const rest = objectIn(lines.slice(first).join('\n'));
  return rest ? [rest] : lines.map(objectIn).filter((object) => object !== undefined);
}

function objectIn(text: string): Members | undefined {
  if (!text.trimStart().startsWith('{')) return undefined;
  try {
    const value: unknown = JSON.parse(text);
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
