import { cut } from '../tool/cut.ts';
import { narrowest, type HookAnswer } from './answer.ts';
import type { HookDecision } from './events.ts';

/** What one hook of a point said. */
export interface Answered extends HookAnswer {
  readonly hook: string;
  /** It was ended before it could say anything. */
  readonly isCut: boolean;
}

export function decisionOf(answers: readonly HookAnswer[]): HookDecision | undefined {
  return narrowest(answers.flatMap(({ decision }) => decision ?? []));
}

/** Of all hooks that decided so. */
export function reasonOf(answers: readonly HookAnswer[], decision: HookDecision): string {
  const reasons = answers.flatMap((answer) => (answer.decision === decision ? (answer.reason ?? []) : []));
  return Array.from(new Set(reasons)).join('; ');
}

export function contextLines(answers: readonly Answered[]): readonly string[] {
  return answers.flatMap((answer) => (answer.context === undefined ? [] : [line(answer, answer.context)]));
}

/** Told apart from what the tool itself says. */
export function line({ hook }: Answered, text = ''): string {
  return `[hook ${cut(hook.replace(/\s+/g, ' ').trim(), LONGEST_LABEL)}] ${text}`;
}

const LONGEST_LABEL = 80;
