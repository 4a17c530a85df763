import { MODES, type Mode } from '../sandbox/mode.ts';
import type { ApprovalPolicy } from './events.ts';

/** The line that a denied call adds for the model where its tool cannot ask for more. */
export function modeLine(mode: Mode): string {
  return `Denied by the sandbox mode ${mode}.`;
}

/** The same for a tool that can: the mode that denied it and, where one may ask for more, how. */
export function deniedLine(mode: Mode, policy: ApprovalPolicy): string {
  const denied = modeLine(mode);
  const wider = MODES.slice(MODES.indexOf(mode) + 1);
  if (wider.length === 0) return denied;
  if (policy === 'never') return `${denied} The approval policy is never: do not ask for escalation.`;
  return `${denied}\nIf this call needs it, call again with escalate: {to: ${wider.join(' or ')}, justification}.`;
}
