import { assertNever } from '../base/never.ts';
import type { CancelCause } from '../base/cancel.ts';
import type { ApprovalId } from '../base/id.ts';
import type { CancelReason, Decider, OutcomeName } from './events.ts';

/** What an asker is told. Only the first grants, and only what it was asked for (`Approvals.spend`). */
export type ApprovalOutcome = { readonly approvalId: ApprovalId } & (
  | { readonly kind: 'allowed-once' }
  | { readonly kind: 'rejected'; readonly by: Decider; readonly note?: string }
  | { readonly kind: 'cancelled'; readonly reason: CancelReason }
  | { readonly kind: 'unavailable'; readonly reason: CancelReason }
  /** The question or its allowing answer is not on disk, so nothing is granted and nothing may run. */
  | { readonly kind: 'storage'; readonly fault: unknown }
);

/** How a question was settled, as recorded in `approval/decided`. */
export type Decided =
  | { readonly outcome: 'allowed-once'; readonly by: 'person'; readonly door: string; readonly note?: string }
  | { readonly outcome: 'rejected'; readonly by: 'person'; readonly door: string; readonly note?: string }
  | { readonly outcome: 'rejected'; readonly by: 'policy' }
  | { readonly outcome: 'cancelled'; readonly by: 'policy' | 'system'; readonly reason: CancelReason }
  | { readonly outcome: 'unavailable'; readonly by: 'system'; readonly reason: CancelReason }
  /** The question itself never reached the disk, so nobody was asked. */
  | { readonly outcome: 'unavailable'; readonly by: 'system'; readonly fault: unknown };

/** What a door that answers is told. `settled` is false for a late or second answer: `by` and `outcome` say who decided. */
export interface DecideReply {
  readonly settled: boolean;
  readonly by: Decider;
  readonly outcome: OutcomeName;
}

export function cancelled(reason: CancelReason): Decided {
  return { outcome: 'cancelled', by: reason === 'policy-never' ? 'policy' : 'system', reason };
}

export function unavailable(reason: CancelReason): Decided {
  return { outcome: 'unavailable', by: 'system', reason };
}

/** Why a question ends when the signal of its call is aborted. */
export function reasonOf(cause: CancelCause): CancelReason {
  switch (cause.kind) {
    case 'mode-changed':
    case 'stopped':
    case 'shutdown':
    case 'turn-ended':
    case 'agent-died':
    case 'policy-never':
      return cause.kind;
    case 'settings-changed':
    case 'unload':
    case 'timeout':
    case 'reset':
    case 'program-ended':
      return 'call-aborted';
    default:
      return assertNever(cause);
  }
}

/** A decision as its asker is told it, once it is on disk. */
export function outcomeOf(approvalId: ApprovalId, decided: Decided): ApprovalOutcome {
  switch (decided.outcome) {
    case 'allowed-once':
      return { approvalId, kind: 'allowed-once' };
    case 'rejected': {
      const note = 'note' in decided && decided.note !== undefined && { note: decided.note };
      return { approvalId, kind: 'rejected', by: decided.by, ...note };
    }
    case 'cancelled':
      return { approvalId, kind: 'cancelled', reason: decided.reason };
    case 'unavailable':
      if ('fault' in decided) return { approvalId, kind: 'storage', fault: decided.fault };
      return { approvalId, kind: 'unavailable', reason: decided.reason };
  }
}
