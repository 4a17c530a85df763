import type { Denied } from '../sandbox/denied.ts';
import type { Outcome } from '../tool/result.ts';
import type { Completion } from './nodeProvider.ts';

/** What an error text speaks of as denied, and what the model is told of it. */
export interface Denials {
  readonly denied: readonly Denied[];
  readonly line: string;
}

/**
 * A program that died of what the sandbox denied it says so, as a command does. It is a hint, never more: the text is the
 * program's own. A tool that was refused has said it in its own words already.
 */
export function withDenials(
  outcome: Outcome,
  completion: Completion,
  denialsIn: (text: string) => Denials | undefined,
): Outcome {
  if (completion.kind !== 'exception' || completion.name === 'ToolError') return outcome;
  const found = denialsIn(completion.message);
  return found ? { ...outcome, content: `${outcome.content}\n${found.line}`, denied: found.denied } : outcome;
}
