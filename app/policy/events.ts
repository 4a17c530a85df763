import type { SessionId } from '../base/id.ts';
import type { Draft } from '../log/event.ts';
import type { Mode } from '../sandbox/mode.ts';

export const APPROVAL_POLICIES = ['ask', 'never'] as const;
export type ApprovalPolicy = (typeof APPROVAL_POLICIES)[number];

/** Where a policy event came from; absent means direct. */
export type Source = 'creation' | 'preset' | 'direct' | 'delegation' | 'webhook';

export interface Sourced {
  readonly source?: Source;
  /** With source `delegation`: the parent's event that it copies. */
  readonly from?: { readonly sessionId: SessionId; readonly seq: number };
}

export type PolicyEvent =
  | Draft<'permission/preset', { readonly preset: string } & Sourced>
  | Draft<'sandbox/mode', { readonly mode: Mode } & Sourced>
  | Draft<'approval/policy', { readonly policy: ApprovalPolicy } & Sourced>
  | Draft<'sandbox/settings', { readonly digest: string }>;
