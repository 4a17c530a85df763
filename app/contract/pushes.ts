import type { CallId, SessionId } from '../base/id.ts';
import type { ApprovalChange } from '../approval/approvals.ts';
import type { Cleanup } from '../cleanup/cleanup.ts';
import type { JobRow } from '../job/row.ts';
import type { EnvironmentEnd } from '../ptc/events.ts';
import type { EnvironmentRow } from '../ptc/nodeProvider.ts';
import type { SessionEvent } from '../session/events.ts';
import type { SessionRow } from '../session/view.ts';
import type { OutputStream } from '../tool/tool.ts';
import type { Note, Show } from './host.ts';
import type { Output } from './requests.ts';

/**
 * What main tells every door without being asked (contract.md, Pushes). Types alone: main builds them, nobody parses
 * them. Only `event` is exact, and only for the Sessions a door follows; an `output` may be dropped.
 */
export type Push =
  | { readonly push: 'event'; readonly data: { readonly sessionId: SessionId; readonly event: SessionEvent } }
  | {
      readonly push: 'session';
      readonly data: { readonly row: SessionRow } | { readonly sessionId: SessionId; readonly removed: true };
    }
  | { readonly push: 'approval'; readonly data: ApprovalChange }
  | { readonly push: 'cleanup'; readonly data: { readonly cleanup: Cleanup } }
  | {
      readonly push: 'environment';
      readonly data: {
        readonly change: 'started' | 'ended' | 'idle' | 'busy';
        readonly environment: EnvironmentRow;
        readonly reason?: EnvironmentEnd;
      };
    }
  /** Whenever its row is another. */
  | { readonly push: 'job'; readonly data: { readonly job: JobRow } }
  | {
      readonly push: 'output';
      readonly data: {
        readonly sessionId: SessionId;
        readonly callId: CallId;
        readonly stream: OutputStream;
        readonly text: string;
      };
    }
  | { readonly push: 'notice'; readonly data: Notice }
  /** Whenever what is in force, or the problem with the file, is another. */
  | { readonly push: 'settings'; readonly data: Output<'settings.get'> }
  /** To one window alone, and only where the host itself shows no notes. */
  | { readonly push: 'note'; readonly data: Note }
  /** To one window alone. */
  | { readonly push: 'show'; readonly data: Show };

/** Something a person should know that is no event of one call. Told again with the same id, it replaces itself. */
export interface Notice {
  readonly noticeId: string;
  readonly level: 'info' | 'warning' | 'error';
  readonly code: string;
  readonly message: string;
  readonly sessionId?: SessionId;
  /** Raw text behind the message, for who wants to see it; never shown alone. */
  readonly detail?: string;
  /** What it told of is over. */
  readonly closed?: boolean;
}
