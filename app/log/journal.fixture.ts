import { deferred, type Deferred } from '../base/deferred.ts';
import type { Draft, Event } from './event.ts';
import { StorageError, type Journal } from './journal.ts';
import { Log, type Guard, type Observer } from './log.ts';

export interface MemoryJournalOptions {
  /** Epoch ms; counts up from 1 by itself when absent. */
  readonly now?: () => number;
  /** A seed: already part of the log, told to nobody. */
  readonly seed?: readonly Draft[];
}

/**
 * A Session's journal without a disk: the real Log, every event kept, and a flush that a test can hold back or let fail.
 * `durable` counts the events that a finished flush has covered.
 */
export class MemoryJournal<D extends Draft> implements Journal<D> {
  readonly events: Event<D>[] = [];
  /** What observers and follow-ups threw. */
  readonly faults: unknown[] = [];
  durable = 0;
  flushes = 0;
  observers = 0;
  readonly #log: Log<D>;
  #ticks = 0;
  #gate: Deferred<void> | undefined;
  #failure: StorageError | undefined;
  #closed = false;

  constructor(options: MemoryJournalOptions = {}) {
    const now = options.now ?? (() => (this.#ticks += 1));
    const seed = options.seed ?? [];
    this.#log = new Log<D>({ now, onFault: (fault) => void this.faults.push(fault), length: seed.length });
    for (const [seq, draft] of seed.entries()) this.events.push({ ...draft, seq, time: now() } as unknown as Event<D>);
    this.#log.observe((event) => void this.events.push(event));
  }

  append<T extends D>(draft: T): Event<T> {
    if (this.#closed) throw new Error('The journal is closed');
    return this.#log.append(draft);
  }

  section<R>(work: () => R): R {
    return this.#log.section(work);
  }

  followUp(job: () => void): void {
    if (this.#closed) throw new Error('The journal is closed');
    this.#log.followUp(job);
  }

  observe(observer: Observer<D>): () => void {
    const remove = this.#log.observe(observer);
    this.observers += 1;
    let observing = true;
    return () => {
      if (observing) this.observers -= 1;
      observing = false;
      remove();
    };
  }

  guard(guard: Guard<D>): () => void {
    return this.#log.guard(guard);
  }

  async flush(): Promise<void> {
    this.flushes += 1;
    const length = this.#log.length;
    await this.#gate?.promise;
    if (this.#failure) throw this.#failure;
    this.durable = Math.max(this.durable, length);
  }

  /** From now on every flush waits until the returned function is called. */
  holdFlush(): () => void {
    const gate = deferred<void>();
    this.#gate = gate;
    return () => {
      if (this.#gate === gate) this.#gate = undefined;
      gate.resolve();
    };
  }

  /** From now on every flush fails, also one that is being held, until the returned function is called. */
  failFlush(failure = new StorageError('The disk is full', true)): () => void {
    this.#failure = failure;
    return () => void (this.#failure = undefined);
  }

  /** As after the Session was closed: append and followUp throw. */
  close(): void {
    this.#closed = true;
  }

  types(): readonly string[] {
    return this.events.map((event) => event.type);
  }
}
