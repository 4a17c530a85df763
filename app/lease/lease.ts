import type { CallId, SessionId } from '../base/id.ts';

/** The complete set of what a call may write: named absolute paths, or the whole workspace when it cannot be named. */
export type LeaseRequest = { readonly callId: CallId; readonly holder: SessionId } & (
  | { readonly kind: 'paths'; readonly paths: readonly [string, ...string[]] }
  | { readonly kind: 'whole' }
);

/** Nothing was claimed. `holder` says who has it, in words for the model and for a person. */
export interface LeaseRefusal {
  readonly kind: 'refused';
  readonly code: 'lease-held' | 'lease-lost' | 'owned-by-task';
  readonly message: string;
}

/** The run this call belonged to has ended; nothing was taken (leases.md). */
export interface HoldEnded {
  readonly kind: 'hold-ended';
}

/** One Session tree's side of the lease (leases.md, Lease Owner). */
export interface LeaseOwner {
  beginRun(): LeaseRun;
}

/** One participation in the Session's work. `end()` is idempotent. */
export interface LeaseRun {
  /** Admits the whole request provisionally, or nothing of it. May wait when the Owner holds nothing. */
  preparePaths(request: LeaseRequest, signal: AbortSignal): Promise<LeaseCall | LeaseRefusal>;
  /** Gives back what nobody writes while a person is being waited for. `asking` is the call that asks, if admitted. */
  yield(asking?: CallId): Promise<LeaseYield>;
  end(): Promise<void>;
}

export interface LeaseCall {
  readonly kind: 'call';
  /** Before anything that may write: from here an error or a cancel does not un-retain. Opens the hold of this call. */
  retain(): Promise<LeaseHold | LeaseRefusal | HoldEnded>;
  /** Idempotent: the same outcome again, failure included. A failure is part of the tool result. */
  close(): Promise<{ readonly error?: string }>;
}

/** A write physically in progress. Ended when its process is gone or its file operation is over. */
export interface LeaseHold {
  readonly kind: 'hold';
  end(): void;
}

export interface LeaseYield {
  /** Takes back what was given, without a gap. A second call gives the first outcome. */
  resume(signal: AbortSignal): Promise<LeaseRefusal | HoldEnded | undefined>;
}
