import type { CancelReason, Decider, OutcomeName } from './events.ts';
import type { Decided } from './outcome.ts';
import type { PendingApproval } from './question.ts';

/** What every door is told of the queue (contract.md, Pushes). */
export type ApprovalChange =
  | { readonly change: 'asked'; readonly approval: PendingApproval }
  | {
      readonly change: 'decided';
      readonly approval: PendingApproval;
      readonly outcome: OutcomeName;
      readonly by: Decider;
      readonly reason?: CancelReason;
    };

export function decidedChange(approval: PendingApproval, decided: Decided): ApprovalChange {
  const reason = 'reason' in decided && { reason: decided.reason };
  return { change: 'decided', approval, outcome: decided.outcome, by: decided.by, ...reason };
}
