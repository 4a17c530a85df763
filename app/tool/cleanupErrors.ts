import type { Outcome } from './result.ts';

/** The model is told as well: it must not go on as if everything of the call were over. */
export function withCleanupErrors(outcome: Outcome, errors: readonly string[]): Outcome {
  if (errors.length === 0) return outcome;
  const told = errors.map((error) => `\nCleanup failed: ${error}`).join('');
  const cleanupError = [...(outcome.cleanupError === undefined ? [] : [outcome.cleanupError]), ...errors].join('; ');
  return { ...outcome, content: outcome.content + told, cleanupError };
}

/** Of a lease call that was closed. */
export function errorsOf(closed: { readonly error?: string } | undefined): readonly string[] {
  return closed?.error === undefined ? [] : [closed.error];
}
