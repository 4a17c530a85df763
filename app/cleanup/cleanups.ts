import { Emitter } from '../base/emitter.ts';
import type { CleanupId, SessionId } from '../base/id.ts';
import type { Journal } from '../log/journal.ts';
import type { Cleanup, CleanupCause, CleanupEvent, StartedItem } from './cleanup.ts';
import { EndingAttempts, type CloseAttempt, type Ending } from './ending.ts';
import { isSameItem, type Started } from './started.ts';

export type { CloseAttempt, Ending } from './ending.ts';

/** A Session as the cleanup room sees it. */
export interface CleanupSubject {
  readonly id: SessionId;
  readonly journal: Journal<CleanupEvent>;
}

export interface CleanupsOptions {
  readonly newId: () => CleanupId;
  readonly now: () => number;
  readonly started: Started;
  /** Hears of observers that threw and of events that a closed Session could not take; neither stops an ending. */
  readonly onFault: (fault: unknown) => void;
}

/** Everything that the product is ending or has ended, kept until its Session is forgotten (ptc.md, Cleanup as an object). */
export class Cleanups {
  readonly #options: CleanupsOptions;
  readonly #endings = new Map<CleanupId, Kept>();
  readonly #changes: Emitter<Cleanup>;

  constructor(options: CleanupsOptions) {
    this.#options = options;
    this.#changes = new Emitter(options.onFault);
  }

  /**
   * Begins ending; safe inside an observer: it is listed at once, the event is a follow-up, and `close` is called when the
   * synchronous section that caused it has returned. A thing that is being ended already keeps its one Cleanup and first cause;
   * where that has failed, this is a retry.
   */
  begin(subject: CleanupSubject, item: StartedItem, cause: CleanupCause, close: CloseAttempt): Ending {
    const known = this.#unfinished(subject.id, item);
    if (known) {
      void known.ending.retry();
      return known.ending;
    }
    this.#options.started.markEnding(subject.id, item);
    const cleanup = newCleanup({ subject, item, cause }, this.#options);
    const ending = new EndingAttempts(cleanup, close, {
      changed: (current) => this.#changes.emit(current),
      ended: (current) => this.#recordEnd(subject.journal, current),
    });
    this.#endings.set(cleanup.cleanupId, { item, ending, forgotten: false });
    this.#record(subject.journal, askedEvent(cleanup));
    this.#changes.emit(cleanup);
    void ending.retry();
    return ending;
  }

  /** Undefined: unknown id. A released one resolves at once; one that is running is waited for. */
  retry(id: CleanupId): Promise<Cleanup> | undefined {
    return this.#endings.get(id)?.ending.retry();
  }

  list(sessionId?: SessionId): readonly Cleanup[] {
    const all = Array.from(this.#endings.values(), ({ ending }) => ending.current());
    return sessionId === undefined ? all : all.filter((cleanup) => cleanup.sessionId === sessionId);
  }

  /** Told once per phase, on failure, and when a retry begins. */
  observe(listener: (cleanup: Cleanup) => void): () => void {
    return this.#changes.listen(listener);
  }

  /** The Session is gone. What has not been released stays visible and retryable until it is. */
  forget(sessionId: SessionId): void {
    for (const [id, kept] of this.#endings) {
      if (kept.ending.current().sessionId !== sessionId) continue;
      kept.forgotten = true;
      this.#dropForgotten(id);
    }
  }

  #unfinished(sessionId: SessionId, item: StartedItem): Kept | undefined {
    for (const kept of this.#endings.values()) {
      const current = kept.ending.current();
      if (current.sessionId === sessionId && current.phase !== 'released' && isSameItem(kept.item, item)) return kept;
    }
    return undefined;
  }

  #recordEnd(journal: Journal<CleanupEvent>, cleanup: Cleanup): void {
    this.#record(journal, endedEvent(cleanup));
    this.#dropForgotten(cleanup.cleanupId);
  }

  #dropForgotten(id: CleanupId): void {
    const kept = this.#endings.get(id);
    if (kept?.forgotten && kept.ending.current().phase === 'released') this.#endings.delete(id);
  }

  /** A Session that is closed already takes no event; its processes are ended all the same. */
  #record(journal: Journal<CleanupEvent>, event: CleanupEvent): void {
    try {
      journal.followUp(() => void journal.append(event));
    } catch (fault) {
      this.#options.onFault(fault);
    }
  }
}

interface Kept {
  readonly item: StartedItem;
  readonly ending: EndingAttempts;
  forgotten: boolean;
}

interface Begun {
  readonly subject: CleanupSubject;
  readonly item: StartedItem;
  readonly cause: CleanupCause;
}

function newCleanup({ subject, item, cause }: Begun, options: CleanupsOptions): Cleanup {
  return {
    cleanupId: options.newId(),
    sessionId: subject.id,
    what: item.what,
    id: item.id,
    title: item.title,
    ...(item.process && { pid: item.process.pid, startTime: item.process.startTime }),
    mode: item.mode,
    cause,
    phase: 'asked',
    attempts: 1,
    since: options.now(),
  };
}

function askedEvent({ cleanupId, what, id, pid, mode, cause }: Cleanup): CleanupEvent {
  return {
    type: 'cleanup/asked',
    data: { cleanupId, what, id, ...(pid !== undefined && { pid }), mode, cause },
  };
}

function endedEvent({ cleanupId, phase, attempts, failed }: Cleanup): CleanupEvent {
  return { type: 'cleanup/ended', data: { cleanupId, phase, attempts, ...(failed && { failed }) } };
}
