import type { CancelCause } from '../base/cancel.ts';
import type { CallId } from '../base/id.ts';
import type { Confinement } from '../tool/ports.ts';

export interface JobRequest {
  readonly callId: CallId;
  readonly title: string;
  readonly command: string;
  /** Inside path, absolute and canonical. */
  readonly cwd: string;
  /** Absolute. */
  readonly paths?: readonly string[];
  readonly at: Confinement;
}

export interface TooMany {
  readonly kind: 'too-many';
}

/** It was ended before it could begin: nothing of its command ran. */
export interface NotBegun {
  readonly kind: 'not-begun';
  readonly why: CancelCause;
}
