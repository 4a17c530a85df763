import type { ApprovalId, CallId } from '../base/id.ts';
import type { Json } from '../base/json.ts';
import type { Text } from '../base/text.ts';
import type { Draft } from '../log/event.ts';
import type { Mode } from '../sandbox/mode.ts';

/** The exact thing a person is asked about. Long members are Texts with a blob in the log, whole in the queue. */
export type Subject = (
  | { readonly kind: 'program'; readonly code: string | Text; readonly title: string; readonly cwd: string }
  | { readonly kind: 'command'; readonly command: string | Text; readonly cwd: string }
  | { readonly kind: 'file'; readonly path: string; readonly exists: boolean; readonly diff: Text }
  | { readonly kind: 'call'; readonly input: Json }
) & {
  /** For a nested call: the program that made it. */
  readonly program?: { readonly callId: CallId; readonly code: string | Text };
};

export interface Scope {
  readonly kind: 'once';
  readonly from: Mode;
  readonly to?: Mode;
}

export type CancelReason =
  | 'call-aborted'
  | 'turn-ended'
  | 'stopped'
  | 'mode-changed'
  | 'policy-never'
  | 'agent-died'
  | 'restarted'
  | 'no-answerer'
  | 'timeout'
  | 'shutdown'
  | 'answerer-failed';

export type OutcomeName = 'allowed-once' | 'rejected' | 'cancelled' | 'unavailable';
export type Decider = 'person' | 'policy' | 'system';

export type ApprovalEvent =
  | Draft<
      'approval/asked',
      {
        readonly id: ApprovalId;
        readonly tool: string;
        readonly callId: CallId;
        readonly subjectDigest: string;
        readonly subject: Subject;
        readonly rule: string;
        readonly justification?: string;
        readonly scope: Scope;
      }
    >
  | Draft<
      'approval/decided',
      {
        readonly id: ApprovalId;
        readonly outcome: OutcomeName;
        readonly by: Decider;
        readonly door?: string;
        readonly note?: string;
        readonly reason?: CancelReason;
      }
    >;
