import type { SessionId } from '../base/id.ts';
import type { Header } from './header.ts';
import type { SessionEvent } from './events.ts';
import type { Verification, Verifier } from './verify.ts';
import type { Folded } from './view/fold.ts';

/** Where Sessions are kept. Both implementations pass one contract suite (sessions.md, Persistence). */
export interface SessionStore {
  /** Every stored Session, damaged ones included; nothing is recovered or written. */
  list(signal: AbortSignal): Promise<readonly StoredSession[]>;
  /** Reads without the writing lock. Throws a StoreError with code `not-found` for an unknown id. */
  inspect(id: SessionId, signal: AbortSignal): Promise<StoredSession>;
  /** Half-open `[from, to)`; past the end, nothing. */
  read(id: SessionId, from: number, to: number, signal: AbortSignal): Promise<readonly SessionEvent[]>;
  /**
   * Takes the one writing lock of a Session, or says who has it. For a new Session nothing is on disk until the first
   * append. A torn tail is moved aside here, never on list or inspect.
   */
  openForWriting(header: Header, signal: AbortSignal): Promise<SessionWriter | OpenElsewhere>;
  /** Reads everything once: the chain of hashes is checked here, and `meaning` is fed every readable event. */
  verify(id: SessionId, meaning: Verifier, signal: AbortSignal): Promise<Verification>;
}

export interface StoredSession {
  readonly id: SessionId;
  /** Absent when the first line cannot be read. */
  readonly header?: Header;
  /** Complete events; of a damaged log the seq that would come after its last readable event. */
  readonly length: number;
  /** What the events say; after a damaged line only what narrows policy counts. */
  readonly folded: Folded;
  /** Last change, epoch ms. */
  readonly updated: number;
  readonly damage?: Damage;
}

export type Damage =
  /** An incomplete last record: kept aside at the next opening for writing. Nothing else is wrong. */
  | { readonly kind: 'torn'; readonly bytes: number }
  /** The line (from 1, the header is line 1) that is no event, out of sequence, or of an unknown type. */
  | { readonly kind: 'damaged'; readonly line: number; readonly message: string }
  | { readonly kind: 'newer'; readonly message: string };

export interface SessionWriter {
  readonly kind: 'writer';
  /** As it was found; of length 0 for a new Session. */
  readonly stored: StoredSession;
  /** The last WINDOW events that are stored, oldest first. */
  readonly window: readonly SessionEvent[];
  /** How often each of the driver's call ids was used so far (contract.md, Conventions). */
  readonly callIds: ReadonlyMap<string, number>;
  /** What was moved aside while opening. */
  readonly torn?: { readonly bytes: number; readonly path: string };
  /**
   * Durable when it resolves. Rejects with code `conflict` when `expectedSeq` is not the stored length, `too-large` for an
   * event over 256 KiB, `storage` when the disk fails; then nothing of the batch is stored.
   */
  append(expectedSeq: number, batch: readonly SessionEvent[]): Promise<void>;
  /** Stores a long text beside the log, durable before it resolves; returns its SHA-256. */
  keep(text: string): Promise<string>;
  /** Gives the lock back. */
  close(): Promise<void>;
}

export interface OpenElsewhere {
  readonly kind: 'open-elsewhere';
  readonly holder: string;
}

export const MAX_EVENT_BYTES = 256 * 1024;
/** How many events of an open Session are kept in memory, and shown at once. */
export const WINDOW = 300;

export type StoreFault =
  | 'not-found'
  | 'conflict'
  | 'too-large'
  | 'storage'
  | 'damaged'
  | 'newer-version'
  | 'invalid-header';

export class StoreError extends Error {
  override readonly name = 'StoreError';
  readonly code: StoreFault;
  /** The disk is full. */
  readonly full: boolean;
  constructor(code: StoreFault, message: string, options?: { cause?: unknown; full?: boolean }) {
    super(message, options);
    this.code = code;
    this.full = options?.full ?? false;
  }
}
