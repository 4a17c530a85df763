import type { Event } from '../log/event.ts';
import type { Mode } from '../sandbox/mode.ts';
import type { ApprovalPolicy, PolicyEvent, Source } from './events.ts';
import type { PolicySubject } from './subject.ts';

/**
 * Records the Mode and returns: success means that it is recorded, not that work of the old one has stopped. Whoever needs
 * that waits for it by itself (ptc.md). Throws when the log refuses the event.
 */
export function setSandboxMode(subject: PolicySubject, mode: Mode, source?: Source): Event<ModeEvent> {
  return subject.journal.append<ModeEvent>({ type: 'sandbox/mode', data: { mode, ...(source && { source }) } });
}

/** Records the Approval policy and returns. It never invalidates an Environment; pending questions observe it. */
export function setApprovalPolicy(
  subject: PolicySubject,
  policy: ApprovalPolicy,
  source?: Source,
): Event<ApprovalPolicyEvent> {
  return subject.journal.append<ApprovalPolicyEvent>({
    type: 'approval/policy',
    data: { policy, ...(source && { source }) },
  });
}

type ModeEvent = Extract<PolicyEvent, { readonly type: 'sandbox/mode' }>;
type ApprovalPolicyEvent = Extract<PolicyEvent, { readonly type: 'approval/policy' }>;
