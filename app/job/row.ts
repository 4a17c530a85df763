import type { JobId, SessionId } from '../base/id.ts';
import type { Mode } from '../sandbox/mode.ts';
import type { JobKind, JobOutcome } from './events.ts';

/** `ending`: it is being ended and may still live. `ended`: nothing of it lives. */
export type JobState = 'running' | 'ending' | 'ended';

/** A job as every door and every model sees it. */
export interface JobRow {
  readonly jobId: JobId;
  readonly sessionId: SessionId;
  readonly kind: JobKind;
  readonly title: string;
  readonly state: JobState;
  /** The event that recorded its start. */
  readonly seq: number;
  /** What it runs under; an agent has a Session of its own that says so. */
  readonly mode?: Mode;
  readonly pid?: number;
  readonly startTime?: string;
  /** What it said that it would write, absolute. */
  readonly paths?: readonly string[];
  /** Once it has ended. */
  readonly outcome?: JobOutcome;
  readonly exitCode?: number | null;
  readonly signal?: string | null;
}
