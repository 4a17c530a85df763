import { Emitter } from '../base/emitter.ts';
import { lossless, type JsonObject } from '../base/json.ts';
import type { Draft, Event } from './event.ts';

/** Sees an event at its commit. It may abort, invalidate and queue follow-ups; it may not append. */
export type Observer<D extends Draft> = (event: Event<D>) => void;
/** Returns a refusal, or undefined to let the event pass. Runs before the commit. */
export type Guard<D extends Draft> = (draft: D) => string | undefined;

export interface LogOptions {
  readonly now: () => number;
  /** Hears of observers and follow-ups that threw; they never undo a commit. */
  readonly onFault: (fault: unknown) => void;
  /** The seq of the first event to come: how many the log has already. */
  readonly length?: number;
}

/** The log refused an event; its length is unchanged. */
export class AppendError extends Error {
  override readonly name = 'AppendError';
}

/**
 * An append-only list of events that holds none of them: whoever needs an event keeps it when it is told, or reads it
 * back from the store. Append is synchronous and O(1): validate, let the guards veto, commit, notify (sessions.md).
 */
export class Log<D extends Draft> {
  readonly #observers: Emitter<Event<D>>;
  readonly #guards = new Set<Guard<D>>();
  readonly #followUps: (() => void)[] = [];
  readonly #options: LogOptions;
  #length: number;
  #notifying = false;
  #depth = 0;

  constructor(options: LogOptions) {
    this.#options = options;
    this.#observers = new Emitter(options.onFault);
    this.#length = options.length ?? 0;
  }

  get length(): number {
    return this.#length;
  }

  /**
   * Commits one event and returns it frozen. Throws a LosslessError or an AppendError, with nothing changed, when the
   * data is not lossless, a guard vetoes, or an observer is being notified.
   */
  append<T extends D>(draft: T): Event<T> {
    if (this.#notifying)
      throw new AppendError(`Cannot append ${draft.type} while observers are being notified; queue a follow-up`);
    const data = lossless(draft.data);
    for (const guard of this.#guards) {
      const refusal = guard(draft);
      if (refusal !== undefined) throw new AppendError(`${draft.type} refused: ${refusal}`);
    }
    // `data` is a frozen copy of `draft.data`, so the event has the draft's shape.
    const event = Object.freeze({
      type: draft.type,
      seq: this.#length,
      time: this.#options.now(),
      data: data as JsonObject,
      ...(draft.ignorable && { ignorable: true }),
    }) as unknown as Event<T>;
    this.#length += 1;
    this.section(() => this.#notify(event as unknown as Event<D>));
    return event;
  }

  /** Runs `work` as one synchronous section: what it appends stays adjacent, follow-ups run right after it. */
  section<R>(work: () => R): R {
    this.#depth += 1;
    try {
      return work();
    } finally {
      this.#depth -= 1;
      if (this.#depth === 0) this.#runFollowUps();
    }
  }

  /** Queues `job` for the end of the current synchronous section; at once when there is none. */
  followUp(job: () => void): void {
    this.#followUps.push(job);
    if (this.#depth === 0) this.#runFollowUps();
  }

  observe(observer: Observer<D>): () => void {
    return this.#observers.listen(observer);
  }

  guard(guard: Guard<D>): () => void {
    this.#guards.add(guard);
    return () => void this.#guards.delete(guard);
  }

  #notify(event: Event<D>): void {
    this.#notifying = true;
    this.#observers.emit(event);
    this.#notifying = false;
  }

  #runFollowUps(): void {
    // Inside a section of its own: a follow-up that appends queues behind the ones already here.
    this.#depth += 1;
    for (let job = this.#followUps.shift(); job; job = this.#followUps.shift()) {
      try {
        job();
      } catch (fault) {
        this.#options.onFault(fault);
      }
    }
    this.#depth -= 1;
  }
}
