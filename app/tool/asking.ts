import type { ApprovalOutcome } from '../approval/outcome.ts';
import { approvalRefusal } from '../approval/refusal.ts';
import { causeOf } from '../base/cancel.ts';
import type { CallRequest } from './callRequest.ts';
import { leaseLost } from './leaseLost.ts';
import { cancelled, refused, type Outcome } from './result.ts';

/** While a person is waited for, what nobody writes is given back; it is taken back before anything goes on. */
export async function whileYielding(
  { lease, callId }: CallRequest,
  ask: () => Promise<ApprovalOutcome>,
  signal: AbortSignal,
): Promise<ApprovalOutcome | Outcome> {
  const given = await lease.yield(callId);
  let answer: ApprovalOutcome | undefined;
  try {
    answer = await ask();
  } finally {
    // What came of the question is what the call is told; what its siblings get back is theirs to find out.
    if (answer?.kind !== 'allowed-once') await given.resume(signal).catch(() => undefined);
  }
  if (answer.kind !== 'allowed-once') return answer;
  const lost = await given.resume(signal);
  return lost ? leaseLost(lost) : answer;
}

export function notAllowed(
  answer: Exclude<ApprovalOutcome, { readonly kind: 'allowed-once' }>,
  signal: AbortSignal,
): Outcome {
  const { code, content } = approvalRefusal(answer);
  return answer.kind === 'cancelled' && signal.aborted ? cancelled(causeOf(signal), content) : refused(code, content);
}
