import { Emitter } from '../base/emitter.ts';
import type { SessionId } from '../base/id.ts';
import type { Json } from '../base/json.ts';
import type { Text } from '../base/text.ts';
import type { Draft, Event } from '../log/event.ts';
import type { Journal, StorageError } from '../log/journal.ts';
import { Log, type Observer } from '../log/log.ts';
import type { PolicyState } from '../policy/fold.ts';
import { callIdsOf } from './callIds.ts';
import { IGNORABLE_TYPES, KNOWN_TYPES, type SessionDraft, type SessionEvent } from './events.ts';
import type { Header } from './header.ts';
import { recoveryOf } from './recovery.ts';
import { checkSeed, endOfSeed } from './seed.ts';
import { fits, storable, toText } from './storable.ts';
import { WINDOW, type SessionWriter } from './store.ts';
import { fold, NOTHING_SAID, type Folded } from './view/fold.ts';
import { toView, type SessionView, type ViewContext } from './view.ts';
import { WriteBehind, type Timers } from './writeBehind.ts';

export interface SessionOptions {
  readonly header: Header;
  /** History of a new Session. A writer that has events already is resumed from those instead. */
  readonly seed?: readonly unknown[];
  /** Where the events go. The Session closes it. */
  readonly writer: SessionWriter;
  readonly now: () => number;
  readonly timers: Timers;
  /** Hears of observers, follow-ups and listeners that threw. */
  readonly onFault: (fault: unknown) => void;
  /** Hears of a background write that failed, and of the end of that. */
  readonly onTrouble?: (trouble: StorageError | undefined) => void;
  readonly context?: ViewContext;
}

/**
 * One conversation: an immutable header and its log (sessions.md). It holds folds and the last events, never all of them.
 * Constructing it is the `prepare` of a creation: nothing is visible and nothing is written before `begin`.
 */
export class Session implements Journal<SessionDraft> {
  readonly id: SessionId;
  readonly header: Header;
  /** How often each call id of the driver was used before this lifetime. */
  readonly callIds: ReadonlyMap<string, number>;
  readonly #options: SessionOptions;
  readonly #log: Log<SessionDraft>;
  readonly #queue: WriteBehind<SessionEvent>;
  readonly #batches: Emitter<readonly SessionEvent[]>;
  readonly #live: number;
  #recent: SessionEvent[];
  #folded: Folded;
  #closing: Promise<void> | undefined;

  constructor(options: SessionOptions) {
    const { writer, now, onFault, timers } = options;
    const { stored } = writer;
    const seed = stored.length > 0 ? undefined : options.seed && checkSeed(options.seed);
    this.#options = options;
    this.#batches = new Emitter(onFault);
    this.header = stored.header ?? options.header;
    this.id = this.header.id;
    this.callIds = seed ? callIdsOf(seed) : writer.callIds;
    this.#folded = seed?.reduce(fold, NOTHING_SAID) ?? stored.folded;
    this.#recent = (seed ?? writer.window).slice(-WINDOW);
    this.#live = seed?.length ?? stored.length;
    this.#log = new Log({ now, onFault, length: this.#live });
    this.#queue = new WriteBehind<SessionEvent>({
      timers,
      // The queue never writes an empty batch.
      write: (batch) => writer.append(batch[0]?.seq ?? this.length, batch),
      onWritten: (batch) => this.#tell(batch),
      onTrouble: (trouble) => options.onTrouble?.(trouble),
    });
    this.#log.guard((draft) => this.#veto(draft));
    this.#log.observe((event) => this.#keep(event));
    for (const event of seed ?? []) this.#queue.add(event);
    // What the process before left open has ended with it. In a new Session's seed that is said by the marker alone.
    if (!seed) for (const draft of recoveryOf(this.#folded)) this.append(draft);
    if (seed || stored.length > 0) for (const draft of endOfSeed(this.#recent.at(-1))) this.append(draft);
  }

  /** The Session is its own log: what a room needs of it is a part of it. */
  get journal(): this {
    return this;
  }

  /** Committed events. */
  get length(): number {
    return this.#log.length;
  }

  /** The last 300 events, oldest first. */
  get window(): readonly SessionEvent[] {
    return this.#recent.slice(-WINDOW);
  }

  /** What the log has said so far. */
  get folded(): Folded {
    return this.#folded;
  }

  policyState(): PolicyState {
    return this.#folded.policy;
  }

  view(): SessionView {
    return toView({ header: this.header, length: this.length, folded: this.#folded }, this.#options.context);
  }

  append<T extends SessionDraft>(draft: T): Event<T> {
    return this.#log.append(IGNORABLE_TYPES.has(draft.type) ? { ...draft, ignorable: true } : draft);
  }

  section<R>(work: () => R): R {
    return this.#log.section(work);
  }

  followUp(job: () => void): void {
    this.#log.followUp(job);
  }

  observe(observer: Observer<SessionDraft>): () => void {
    return this.#log.observe(observer);
  }

  flush(): Promise<void> {
    return this.#queue.flush();
  }

  /** Tells of each batch after it is on disk, in order and without a gap; the seed is history and is never told. */
  durable(listener: (batch: readonly SessionEvent[]) => void): () => void {
    return this.#batches.listen(listener);
  }

  /** A lossless copy that fits into one event: its long strings are Texts whose whole is kept beside the log. */
  storable(value: unknown): Promise<Json> {
    return storable(value, (text) => this.#options.writer.keep(text));
  }

  /** A bounded view of `text`, with the whole kept beside the log where it is long. */
  keep(text: string): Promise<Text> {
    return toText(text, (whole) => this.#options.writer.keep(whole));
  }

  /** Announced: from now on it is written, whatever was appended before in one batch. */
  begin(): void {
    this.#queue.begin();
  }

  /** The creation was rolled back: nothing is written. */
  abandon(): void {
    this.#queue.abandon();
  }

  /** Writes what waits and gives the lock back, also when that fails; then it rejects with the StorageError. */
  close(): Promise<void> {
    this.#closing ??= this.#end();
    return this.#closing;
  }

  async #end(): Promise<void> {
    try {
      await this.#queue.close();
    } finally {
      await this.#options.writer.close();
    }
  }

  #keep(event: SessionEvent): void {
    this.#folded = fold(this.#folded, event);
    this.#recent.push(event);
    if (this.#recent.length >= 2 * WINDOW) this.#recent = this.#recent.slice(-WINDOW);
    this.#queue.add(event);
  }

  #veto(draft: Draft): string | undefined {
    if (this.#closing) return 'the Session is closed';
    if (!KNOWN_TYPES.has(draft.type)) return 'an unknown type';
    if (!fits(draft.data)) return 'it is too large for one event';
    return undefined;
  }

  #tell(batch: readonly SessionEvent[]): void {
    const live = batch[0] && batch[0].seq >= this.#live ? batch : batch.filter((event) => event.seq >= this.#live);
    if (live.length > 0) this.#batches.emit(live);
  }
}
