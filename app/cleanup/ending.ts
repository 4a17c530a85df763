import { messageOf } from '../base/fault.ts';
import type { CleanupId } from '../base/id.ts';
import type { Closed, EndPhase } from '../sandbox/provider.ts';
import type { Cleanup } from './cleanup.ts';

/** Ends one thing, telling how far it is. Called again for a retry; a throw counts as a failed attempt. */
export type CloseAttempt = (onPhase: (phase: EndPhase) => void) => Promise<Closed>;

/** One thing that is being ended, for whoever began it. */
export interface Ending {
  readonly id: CleanupId;
  current(): Cleanup;
  /** The outcome of the running attempt, or of the last one. Never rejects. */
  settled(): Promise<Cleanup>;
  /** One more attempt; while one runs, that one is waited for. A released one stays released. */
  retry(): Promise<Cleanup>;
}

interface EndingListeners {
  changed(cleanup: Cleanup): void;
  ended(cleanup: Cleanup): void;
}

/** The attempts at one ending, one after the other. `failed` of the last one stands beside the phase it got to. */
export class EndingAttempts implements Ending {
  readonly #close: CloseAttempt;
  readonly #listeners: EndingListeners;
  #cleanup: Cleanup;
  #running: Promise<Cleanup> | undefined;

  /** `cleanup` is told to nobody: whoever constructs it announces it and then starts the first attempt with `retry`. */
  constructor(cleanup: Cleanup, close: CloseAttempt, listeners: EndingListeners) {
    this.#cleanup = cleanup;
    this.#close = close;
    this.#listeners = listeners;
  }

  get id(): CleanupId {
    return this.#cleanup.cleanupId;
  }

  current(): Cleanup {
    return this.#cleanup;
  }

  settled(): Promise<Cleanup> {
    return this.#running ?? Promise.resolve(this.#cleanup);
  }

  retry(): Promise<Cleanup> {
    if (this.#running) return this.#running;
    if (this.#cleanup.phase === 'released') return Promise.resolve(this.#cleanup);
    const { promise, resolve } = Promise.withResolvers<Cleanup>();
    // Before anybody is told: a listener may ask for a retry, and gets this attempt.
    this.#running = promise;
    void this.#attempt().then(resolve);
    return promise;
  }

  async #attempt(): Promise<Cleanup> {
    this.#beginAgain();
    let over = false;
    // A setter that caused this has returned before any work of ending begins.
    await Promise.resolve();
    const closed = await this.#tryClose((phase) => {
      // A callback of an attempt that is over says nothing about the next one.
      if (!over) this.#advance(phase);
    });
    over = true;
    this.#finish(closed);
    return this.#cleanup;
  }

  #beginAgain(): void {
    const { failed, ...rest } = this.#cleanup;
    if (!failed) return;
    this.#cleanup = { ...rest, phase: 'asked', attempts: rest.attempts + 1 };
    this.#listeners.changed(this.#cleanup);
  }

  async #tryClose(onPhase: (phase: EndPhase) => void): Promise<Closed> {
    try {
      return await this.#close(onPhase);
    } catch (fault) {
      return { ok: false, phase: this.#cleanup.phase, error: messageOf(fault) };
    }
  }

  /** Phases only go forward, and `released` is said by a successful end alone. */
  #advance(phase: EndPhase): void {
    if (phase === 'released' || PHASES.indexOf(phase) <= PHASES.indexOf(this.#cleanup.phase)) return;
    this.#cleanup = { ...this.#cleanup, phase };
    this.#listeners.changed(this.#cleanup);
  }

  #finish(closed: Closed): void {
    this.#running = undefined;
    this.#cleanup = closed.ok
      ? { ...this.#cleanup, phase: 'released' }
      : {
          ...this.#cleanup,
          ...(closed.phase !== 'released' && { phase: closed.phase }),
          failed: { error: closed.error },
        };
    this.#listeners.changed(this.#cleanup);
    this.#listeners.ended(this.#cleanup);
  }
}

const PHASES: readonly EndPhase[] = ['asked', 'terminating', 'killing', 'exited', 'released'];
