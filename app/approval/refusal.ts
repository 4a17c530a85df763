import { assertNever } from '../base/never.ts';
import type { ApprovalOutcome } from './outcome.ts';

/** What the model is told of a question that granted nothing; each case in words of its own. Nothing ran. */
export interface ApprovalRefusal {
  readonly code: 'rejected' | 'approval-cancelled' | 'unavailable' | 'storage';
  readonly content: string;
}

export type NotAllowed = Exclude<ApprovalOutcome, { readonly kind: 'allowed-once' }>;

export function approvalRefusal(outcome: NotAllowed): ApprovalRefusal {
  switch (outcome.kind) {
    case 'rejected':
      return { code: 'rejected', content: rejection(outcome) };
    case 'cancelled':
      return { code: 'approval-cancelled', content: `The approval was cancelled (${outcome.reason}). Nothing ran.` };
    case 'unavailable':
      return { code: 'unavailable', content: unavailability(outcome.reason) };
    case 'storage':
      return { code: 'storage', content: 'The approval could not be stored on disk. Nothing ran.' };
    default:
      return assertNever(outcome);
  }
}

/** A person's note comes last and verbatim. */
function rejection({ by, note }: Extract<NotAllowed, { readonly kind: 'rejected' }>): string {
  if (by === 'policy') return 'Rejected: the approval policy is never. Nothing ran. Do not ask for escalation.';
  const rejected = 'Rejected by the user. Nothing ran.';
  return note === undefined ? rejected : `${rejected} The user says: ${note}`;
}

function unavailability(reason: string): string {
  switch (reason) {
    case 'no-answerer':
      return 'Approval is unavailable: nobody is there to answer. Nothing ran.';
    case 'timeout':
      return 'Approval is unavailable: nobody answered in time. Nothing ran.';
    default:
      return `Approval is unavailable (${reason}). Nothing ran.`;
  }
}
