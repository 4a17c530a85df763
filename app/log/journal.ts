import type { Draft, Event } from './event.ts';
import type { Observer } from './log.ts';

/**
 * What a room holds of its Session's log: it may append its own events and see all of them at commit. A Session's whole
 * log is a Journal of each of its rooms. An observer is told every event, so it switches on `type`.
 */
export interface Journal<D extends Draft> {
  append<T extends D>(draft: T): Event<T>;
  /** What `work` appends stays adjacent; follow-ups run right after it. */
  section<R>(work: () => R): R;
  /** For observers and abort listeners, which may not append: `job` runs when the current section has ended. */
  followUp(job: () => void): void;
  observe(observer: Observer<D> | NoObserver): () => void;
  /** Resolves when everything appended so far is on disk; rejects with a StorageError. */
  flush(): Promise<void>;
}

/** Never passed. Beside it observers are not compared strictly: so a Journal of a whole log is one of each of its rooms. */
interface NoObserver {
  readonly observes: never;
}

/** The disk did not take the events. They stay committed in memory and are tried again with the next flush. */
export class StorageError extends Error {
  override readonly name = 'StorageError';
  /** The disk is full. */
  readonly full: boolean;
  constructor(message: string, full: boolean, options?: { cause?: unknown }) {
    super(message, options);
    this.full = full;
  }
}
