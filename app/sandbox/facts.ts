import type { Text } from '../base/text.ts';

/** What is known of a command that ran (contract.md, Facts). `left`: processes it left behind, ended with it. */
export interface Facts {
  readonly exitCode: number | null;
  readonly signal: string | null;
  readonly timedOut: boolean;
  readonly cancelled: boolean;
  readonly limit?: 'heap' | 'memory' | 'process' | 'output' | 'temp';
  /** The hidden path at which something appeared while it ran; it was ended for that. */
  readonly revealed?: string;
  readonly left: number;
  readonly durationMs: number;
  readonly output: Text;
}
