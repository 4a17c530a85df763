import type { CallId } from '../base/id.ts';
import type { Json } from '../base/json.ts';
import type { LeaseRun } from '../lease/lease.ts';

/** A call as a driver or a program proposes it: nothing of it has been looked at. */
export interface CallRequest {
  readonly callId: CallId;
  readonly tool: string;
  readonly input: Json;
  readonly lease: LeaseRun;
  /** For a call that a program makes. */
  readonly nested?: { readonly rootCallId: CallId; readonly parentCallId: CallId; readonly code: string };
}
