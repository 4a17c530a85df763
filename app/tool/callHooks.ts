import type { CallId } from '../base/id.ts';
import type { Json } from '../base/json.ts';
import type { Outcome } from './result.ts';

/** A call that was admitted, as its hooks are told of it. `input` is what was proposed, found valid. */
export interface HookedCall {
  readonly callId: CallId;
  readonly tool: string;
  readonly input: Json;
}

/** What all hooks before a call come to: deny beats ask beats passing. None of it widens what the call may do. */
export type HookVerdict =
  | { readonly kind: 'passed'; readonly lines: readonly string[] }
  | { readonly kind: 'denied'; readonly reason: string; readonly lines: readonly string[] }
  | { readonly kind: 'ask'; readonly reason: string; readonly lines: readonly string[] }
  /** Which hooks there are is not known, so nobody knows that none of them would deny. */
  | { readonly kind: 'unknown'; readonly message: string };

/** Port: the hooks of a Session's calls. `lines` are for the model, with the result of the call. */
export interface CallHooks {
  before(call: HookedCall, signal: AbortSignal): Promise<HookVerdict>;
  after(call: HookedCall, outcome: Outcome, signal: AbortSignal): Promise<readonly string[]>;
}

export const NO_HOOKS: CallHooks = {
  before: async () => ({ kind: 'passed', lines: [] }),
  after: async () => [],
};
