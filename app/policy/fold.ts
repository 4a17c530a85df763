import type { Draft, Event } from '../log/event.ts';
import type { Mode } from '../sandbox/mode.ts';
import type { ApprovalPolicy, PolicyEvent } from './events.ts';

/** The bare pair of a composition, in force while a log says nothing (policy.md, deployment default). */
export interface PolicyPair {
  readonly mode: Mode;
  readonly policy: ApprovalPolicy;
}

export const DEPLOYMENT_DEFAULT: PolicyPair = { mode: 'workspace-write', policy: 'ask' };

/** The last explicit event of each kind, with its seq. Absent: the log never said. */
export interface PolicyState {
  readonly mode?: { readonly value: Mode; readonly seq: number };
  readonly policy?: { readonly value: ApprovalPolicy; readonly seq: number };
  readonly preset?: { readonly value: string; readonly seq: number };
  readonly settings?: { readonly value: string; readonly seq: number };
}

export const NO_POLICY: PolicyState = {};

/** Last event wins. The same reference comes back when the event says nothing about policy. */
export function foldPolicy(state: PolicyState, event: Event<PolicyEvent> | Event<Draft>): PolicyState {
  const known = event as Event<PolicyEvent>; // Other types fall to the default branch.
  switch (known.type) {
    case 'sandbox/mode':
      return { ...state, mode: { value: known.data.mode, seq: known.seq } };
    case 'approval/policy':
      return { ...state, policy: { value: known.data.policy, seq: known.seq } };
    case 'permission/preset':
      return { ...state, preset: { value: known.data.preset, seq: known.seq } };
    case 'sandbox/settings':
      return { ...state, settings: { value: known.data.digest, seq: known.seq } };
    default:
      return state;
  }
}

export function effective(state: PolicyState, fallback: PolicyPair = DEPLOYMENT_DEFAULT): PolicyPair {
  return { mode: state.mode?.value ?? fallback.mode, policy: state.policy?.value ?? fallback.policy };
}
