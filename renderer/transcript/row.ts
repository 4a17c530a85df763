import type { ApprovalId, CallId, JobId } from '../../app/base/id.ts';
import type { Text } from '../../app/base/text.ts';
import type { SessionEvent } from '../../app/session/events.ts';
import type { ReadOnly } from '../../app/session/view.ts';
import type { OpenCleanup } from '../../app/session/view/fold.ts';
import type { Gap } from '../store/gaps.ts';

export type EventOf<Type extends SessionEvent['type']> = Extract<SessionEvent, { readonly type: Type }>;

/** What is so now, beside the events that are here. */
export interface Standing {
  /** The open turn. */
  readonly turn?: number;
  readonly queued: readonly number[];
  readonly approvals: readonly ApprovalId[];
  readonly cleanups: readonly OpenCleanup[];
  /** The run of the log that is here, and how long the log is. */
  readonly first: number;
  readonly end: number;
  readonly length: number;
  readonly gaps: readonly Gap[];
  readonly readOnly?: ReadOnly;
}

/** One line or card of the transcript. The key stays whatever happens to it; `seq` is the event it begins with. */
export type Row = { readonly key: string; readonly seq: number } &
  /** `told`: what the model was told of the policy in it, for whoever looks at the events themselves. */
  (
    | {
        readonly kind: 'turn';
        readonly event: EventOf<'turn/start'>;
        readonly told: readonly EventOf<'context/policy'>[];
      }
    /** `waits`: no step of the agent has seen it yet. */
    | { readonly kind: 'said'; readonly event: EventOf<'user/message'>; readonly waits: boolean }
    | AnswerRow
    | { readonly kind: 'card'; readonly call: Call }
    | { readonly kind: 'fact'; readonly fact: Fact }
    /** `to` is `from - 1` where a damaged line took no number. `line` of the log's file, where it is known. */
    | { readonly kind: 'gap'; readonly from: number; readonly to: number; readonly line?: number }
    /** The log goes on, and that part is not here. */
    | { readonly kind: 'newer'; readonly end: number }
    | { readonly kind: 'read-only'; readonly readOnly: ReadOnly }
  );

export type RowOf<Kind extends Row['kind']> = Extract<Row, { readonly kind: Kind }>;

interface AnswerRow {
  readonly kind: 'answer';
  readonly text: string | Text;
  /** More of it is to come. */
  readonly streaming: boolean;
  readonly events: readonly (EventOf<'assistant/chunk'> | EventOf<'assistant/message'>)[];
}

export type Phase =
  /** Proposed by the agent, nothing of it has started. */
  | 'proposed'
  | 'waits-for-approval'
  | 'waits-for-cleanup'
  | 'running'
  /** An ending was asked for, and the result is not in the log yet. */
  | 'cancelling'
  | 'ended'
  /** Its turn is over, and the log holds no result. */
  | 'left'
  /** Its result may stand among newer events that are not here. */
  | 'not-loaded';

/** One call with everything the log says of it. A call of a program stands in the program's `nested`. */
export interface Call {
  readonly callId: CallId;
  readonly phase: Phase;
  /** Absent: older than what is here. */
  readonly asked?: EventOf<'tool/call'> | EventOf<'tool/nested-start'>;
  readonly started?: EventOf<'tool/started'>;
  readonly result?: EventOf<'tool/result'> | EventOf<'tool/nested-result'>;
  readonly environment?: EventOf<'environment/started'>;
  readonly question?: EventOf<'approval/asked'>;
  readonly decision?: EventOf<'approval/decided'>;
  /** What it waits for, with the phase `waits-for-cleanup`. */
  readonly cleanup?: OpenCleanup;
  /** The job that it has started, or is about. */
  readonly job?: Job;
  readonly nested: readonly Call[];
}

export type JobPhase =
  | 'running'
  /** Its ending was asked for, and its end is not in the log yet. */
  | 'ending'
  | 'ended'
  /** The Session was opened again since, and the log holds no end of it. */
  | 'left'
  | 'not-loaded';

export interface Job {
  readonly jobId: JobId;
  readonly phase: JobPhase;
  readonly started?: EventOf<'job/started'>;
  readonly ended?: EventOf<'job/ended'>;
}

/** The call or the job whose process is ended, where it is known. */
interface OfItem {
  readonly call?: EventOf<'tool/call'> | EventOf<'tool/nested-start'>;
  readonly job?: EventOf<'job/started'>;
}

/** A thin row. */
export type Fact =
  | PolicyFact
  | { readonly kind: 'asked'; readonly event: EventOf<'approval/asked'>; readonly open: boolean }
  | {
      readonly kind: 'decided';
      readonly event: EventOf<'approval/decided'>;
      readonly asked?: EventOf<'approval/asked'>;
    }
  | { readonly kind: 'environment-started'; readonly event: EventOf<'environment/started'> }
  | EnvironmentEndedFact
  /** `over`: its end is in the log as well. */
  | ({ readonly kind: 'cleanup-asked'; readonly event: EventOf<'cleanup/asked'>; readonly over: boolean } & OfItem)
  | ({
      readonly kind: 'cleanup-ended';
      readonly event: EventOf<'cleanup/ended'>;
      readonly asked?: EventOf<'cleanup/asked'>;
    } & OfItem)
  | { readonly kind: 'job-started'; readonly event: EventOf<'job/started'> }
  | { readonly kind: 'job-ended'; readonly event: EventOf<'job/ended'>; readonly started?: EventOf<'job/started'> }
  | ({ readonly kind: 'hook'; readonly event: EventOf<'hook/ran'> } & Pick<OfItem, 'call'>)
  | { readonly kind: 'stopping'; readonly event: EventOf<'turn/stopping'>; readonly over: boolean }
  | { readonly kind: 'turn-end'; readonly event: EventOf<'turn/end'>; readonly start?: EventOf<'turn/start'> }
  | { readonly kind: 'other'; readonly event: SessionEvent };

/** What one selection has recorded: the preset and right behind it what the preset sets, or one of these alone. */
export interface PolicyFact {
  readonly kind: 'policy';
  readonly preset?: EventOf<'permission/preset'>;
  readonly mode?: EventOf<'sandbox/mode'>;
  readonly policy?: EventOf<'approval/policy'>;
  /** What was in force before, where the log that is here says so. */
  readonly was: { readonly preset?: string; readonly mode?: string; readonly policy?: string };
  /** The endings that the log gives this as their cause. */
  readonly ending: readonly EventOf<'cleanup/asked'>[];
}

interface EnvironmentEndedFact {
  readonly kind: 'environment-ended';
  readonly event: EventOf<'environment/ended'>;
  readonly started?: EventOf<'environment/started'>;
  readonly asked?: EventOf<'cleanup/asked'>;
  /** That it is gone was confirmed by this event, right before. */
  readonly confirmed?: EventOf<'cleanup/ended'>;
}
