import type { Timers } from './timers.ts';

/** A Session that has the spare, or starts it. */
export interface MayHaveSpare {
  readonly hasSpare: boolean;
  dropSpare(): void;
}

/** How long the spare of one Session is safe from another: two that take turns must not end each other's all the time. */
const KEPT_MS = 60_000;

/** There is one spare in this process, whichever Session it belongs to: each costs what an idle Node does. */
export class SpareHolder {
  readonly #timers: Timers;
  #holder: MayHaveSpare | undefined;
  #since = 0;

  constructor(timers: Timers) {
    this.#timers = timers;
  }

  /** True: it may start one now, and whoever had one has it no more. */
  mayHave(session: MayHaveSpare): boolean {
    const now = this.#timers.now();
    if (this.#holder !== session && this.#holder?.hasSpare) {
      if (now - this.#since < KEPT_MS) return false;
      this.#holder.dropSpare();
    }
    this.#holder = session;
    this.#since = now;
    return true;
  }
}
