import { deferred } from '../base/deferred.ts';
import type { Effect } from './events.ts';

/** Reading calls that may overlap (agent.md, Turn; ptc.md, The bridge). */
export const MAX_OVERLAP = 10;

interface Waiting {
  readonly exclusive: boolean;
  readonly start: () => void;
}

/**
 * Orders the calls of a turn or of a program: consecutive calls that do not write overlap, a writing call waits for them
 * and runs alone. Calls start in the order of submission, and their outcomes settle in that order too.
 */
export class Lane {
  readonly #queue: Waiting[] = [];
  #running = 0;
  #exclusive = false;
  #lastSettled: Promise<unknown> = Promise.resolve();

  /** `job` decides by itself what an abort means: it is started even then, so that every call gets its outcome. */
  submit<T>(effect: Effect, job: () => Promise<T>): Promise<T> {
    const exclusive = effect === 'write';
    const turn = deferred<void>();
    this.#queue.push({ exclusive, start: () => turn.resolve() });
    const outcome = turn.promise.then(job).finally(() => this.#leave(exclusive));
    const before = this.#lastSettled;
    const ordered = outcome.then(
      async (value) => {
        await before;
        return value;
      },
      async (fault: unknown) => {
        await before;
        throw fault;
      },
    );
    this.#lastSettled = ordered.catch(() => undefined); // Its submitter hears of the fault; the order only needs its end.
    this.#admit();
    return ordered;
  }

  #leave(exclusive: boolean): void {
    this.#running -= 1;
    if (exclusive) this.#exclusive = false;
    this.#admit();
  }

  #admit(): void {
    for (let next = this.#queue[0]; next && this.#fits(next); next = this.#queue[0]) {
      this.#queue.shift();
      this.#running += 1;
      this.#exclusive = next.exclusive;
      next.start();
    }
  }

  #fits(next: Waiting): boolean {
    if (this.#exclusive) return false;
    return next.exclusive ? this.#running === 0 : this.#running < MAX_OVERLAP;
  }
}
