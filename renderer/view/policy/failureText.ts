import type { Dictionary } from '../../text/text.ts';
import type { Outcome } from './useSwitch.ts';

/** What is known of a switch that failed: most errors mean that nothing was done, but not all. */
export function failureText(
  { code, message }: Extract<Outcome, { kind: 'failed' }>,
  { policy }: Pick<Dictionary, 'policy'>,
): string {
  // The log took it and the disk did not: what a person narrowed is narrow all the same.
  if (code === 'storage') return policy.notStored(message);
  return code === 'closing' || code === undefined ? policy.notConfirmed(message) : policy.notRecorded(message);
}
