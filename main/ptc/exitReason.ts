import type { EnvironmentEnd } from '../../app/ptc/events.ts';
import type { Exit } from '../../app/sandbox/provider.ts';

/** Why a kernel ended by itself, from what its process left to see. */
export function exitReason({ exitCode, signal }: Exit, stderr: string): EnvironmentEnd {
  if (stderr.includes('JavaScript heap out of memory')) return 'heap-limit';
  // Behind bubblewrap a signal is told as 128 and its number.
  return signal !== null || exitCode === null || exitCode >= 128 ? 'crash' : 'exit';
}
