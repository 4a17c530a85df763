import type { JobId, SessionId } from '../base/id.ts';

/** Where what jobs print is kept: one file each, beside the log of their Session and out of reach of any sandbox. */
export interface JobOutputs {
  /** Keeps the first `limit` bytes; what comes after is counted. */
  open(sessionId: SessionId, jobId: JobId, limit: number): Promise<JobOutput>;
}

export interface JobOutput {
  /** Takes whole characters, never waits and never fails: what the disk does not take is dropped. */
  write(text: string): void;
  page(from: number, signal: AbortSignal): Promise<OutputPage>;
  /** Resolves when everything that is kept can be read; it can be read afterwards too. */
  close(): Promise<void>;
}

/**
 * Offsets are bytes of the file. A page begins and ends between two characters, and pages that follow one another by
 * `next` are the whole.
 */
export interface OutputPage {
  readonly text: string;
  readonly from: number;
  readonly next: number;
  /** Nothing that is kept so far comes after it. */
  readonly last: boolean;
  /** Bytes that were printed and not kept, all of them behind what is. */
  readonly dropped: number;
}
