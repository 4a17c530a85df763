import { assertNever } from '../base/never.ts';
import type { Mode } from '../sandbox/mode.ts';
import type { ApprovalPolicy } from './events.ts';
import type { PolicyPair } from './fold.ts';

/**
 * The one context message: what a model is told of the standing policy (policy.md, What the model sees). Its bytes depend on
 * the two knobs and on nothing else, and it names no tool, so it is true whatever the model is given to work with.
 */
export function policyContext({ mode, policy }: PolicyPair): string {
  return `Sandbox mode: ${mode}. ${modeText(mode)}\nApproval policy: ${policy}. ${policyText(policy, mode)}`;
}

/** What a step has to add to the log before its request; undefined while the last one said (`last`) still holds. */
export function contextDue(last: string | undefined, pair: PolicyPair): string | undefined {
  const text = policyContext(pair);
  return text === last ? undefined : text;
}

/** One line for each knob that a live switch has moved. What both pairs share is not mentioned. */
export function switchNotices(before: PolicyPair, now: PolicyPair): readonly string[] {
  return [
    ...(before.mode === now.mode ? [] : [`The sandbox mode was changed from ${before.mode} to ${now.mode}.`]),
    ...(before.policy === now.policy
      ? []
      : [`The approval policy was changed from ${before.policy} to ${now.policy}.`]),
  ];
}

function modeText(mode: Mode): string {
  switch (mode) {
    case 'read-only':
      return 'Nothing can be written but private temporary files.';
    case 'workspace-write':
      return 'The workspace and private temporary files can be written, protected entries excepted; nothing else can.';
    case 'danger-full-access':
      return 'Nothing is confined.';
    default:
      return assertNever(mode);
  }
}

function policyText(policy: ApprovalPolicy, mode: Mode): string {
  if (policy === 'never') return 'Nobody is asked. Do not ask for escalation.';
  if (mode === 'danger-full-access') return 'No wider mode exists, so there is nothing to ask for.';
  return 'Where a call offers escalation, a person can be asked to allow a wider mode for exactly that call, once.';
}
