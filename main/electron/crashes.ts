/** So many within so short a time, and loading again is no help. */
const MANY = 3;
const WITHIN_MS = 30_000;
/** What ends even so is not started as fast as it ends. */
const CALM_MS = 5_000;

export interface Recovery {
  /** `show-error`: a page that needs nothing but itself, with a way back. Never an empty window. */
  readonly kind: 'reload' | 'show-error';
  readonly afterMs: number;
}

/** What follows when the process of a window's page ends by itself (ui.md, Transcript). */
export class Crashes {
  #times: readonly number[] = [];

  next(now: number): Recovery {
    this.#times = [...this.#times.filter((time) => now - time < WITHIN_MS), now];
    const count = this.#times.length;
    return { kind: count < MANY ? 'reload' : 'show-error', afterMs: count > MANY ? CALM_MS : 0 };
  }
}
