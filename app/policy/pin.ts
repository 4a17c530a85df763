import { DEPLOYMENT_DEFAULT, effective } from './fold.ts';
import type { Preset } from './presetTable.ts';
import { setApprovalPolicy, setSandboxMode } from './setters.ts';
import type { PolicySubject } from './subject.ts';

/**
 * Pins a new Session without a parent, inside its announcement: from here on a default that changes does not reach it. A
 * delegated child is never pinned; it has what its seed says (sessions.md, Delegation).
 */
export function pinNew(subject: PolicySubject, preset: Preset): void {
  subject.journal.section(() => {
    subject.journal.append({ type: 'permission/preset', data: { preset: preset.name, source: 'creation' } });
    setSandboxMode(subject, preset.sandbox, 'creation');
    setApprovalPolicy(subject, preset.approval, 'creation');
  });
}

/**
 * Pins a resumed or forked Session to the values it has: only what its log never said is recorded. No preset is recorded,
 * since nobody chose one. Nothing missing, nothing appended.
 */
export function pinMissing(subject: PolicySubject, fallback = DEPLOYMENT_DEFAULT): void {
  const state = subject.policyState();
  const { mode, policy } = effective(state, fallback);
  subject.journal.section(() => {
    if (!state.mode) setSandboxMode(subject, mode, 'creation');
    if (!state.policy) setApprovalPolicy(subject, policy, 'creation');
  });
}
