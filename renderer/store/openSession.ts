import type { SessionId } from '../../app/base/id.ts';
import type { SessionEvent } from '../../app/session/events.ts';
import type { Header } from '../../app/session/header.ts';
import type { ReadOnly } from '../../app/session/view.ts';
import type { Folded } from '../../app/session/view/fold.ts';
import type { Gap } from './gaps.ts';

/** The Session that this window shows. */
export type Opened =
  | { readonly kind: 'none' }
  | { readonly kind: 'opening'; readonly sessionId: SessionId }
  | { readonly kind: 'failed'; readonly sessionId: SessionId; readonly message: string }
  | OpenSession;

export interface OpenSession {
  readonly kind: 'open';
  readonly sessionId: SessionId;
  readonly header: Header;
  readonly folded: Folded;
  /** Number of events of the log, as far as this window has heard. */
  readonly length: number;
  /** A run of the log from `first` to `end`; streamed parts of one answer are joined (joined.ts). */
  readonly events: readonly SessionEvent[];
  /** From here on everything that can be read is in `events`; 0 when nothing older is in the log. */
  readonly first: number;
  /** One past the last event held. Less than `length` while a person reads far back: what comes is then only folded. */
  readonly end: number;
  /** What cannot be read between `first` and `end`. */
  readonly gaps: readonly Gap[];
  readonly readOnly?: ReadOnly;
}
