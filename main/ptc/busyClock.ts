import type { Timers } from './timers.ts';

export interface BusyClockParts {
  readonly timers: Timers;
  readonly limitMs: number;
  /** Asks the main thread of the kernel how long its event loop has been active; `answered` gets it. */
  readonly ping: () => void;
  readonly expired: () => void;
}

/**
 * Counts the time a program is busy: all time without a pending tool call, and of the time with one what the event loop
 * of the kernel was active. A ping that the loop did not answer counts as active throughout, so a decoy call does not
 * hide a busy loop. An active time that a hostile kernel understates is caught by the wall limit.
 */
export class BusyClock {
  readonly #parts: BusyClockParts;
  readonly #tickMs: number;
  #busy = 0;
  #pending = 0;
  /** Since the last tick: time with no pending call. */
  #free = 0;
  #tickAt: number;
  #changedAt: number;
  #activeBefore: number | undefined;
  #active: number | undefined;
  #isAsked = false;
  #cancel: () => void;

  constructor(parts: BusyClockParts) {
    this.#parts = parts;
    this.#tickMs = Math.max(10, Math.min(250, parts.limitMs / 4));
    this.#tickAt = this.#changedAt = parts.timers.now();
    this.#cancel = parts.timers.after(this.#tickMs, () => this.#tick());
  }

  callBegan(): void {
    if (this.#pending === 0) this.#addFree();
    this.#pending += 1;
  }

  callEnded(): void {
    this.#pending -= 1;
    if (this.#pending === 0) this.#changedAt = this.#parts.timers.now();
  }

  answered(active: number): void {
    this.#isAsked = false;
    this.#active = active;
  }

  stop(): void {
    this.#cancel();
  }

  #tick(): void {
    const now = this.#parts.timers.now();
    if (this.#pending === 0) this.#addFree();
    // A machine that slept is not a busy program.
    const elapsed = Math.min(now - this.#tickAt, 4 * this.#tickMs);
    const free = Math.min(this.#free, elapsed);
    this.#busy += free + Math.min(elapsed - free, this.#activeSince(elapsed));
    this.#free = 0;
    this.#tickAt = this.#changedAt = now;
    if (this.#busy >= this.#parts.limitMs) return this.#parts.expired();
    this.#ask();
    this.#cancel = this.#parts.timers.after(this.#tickMs, () => this.#tick());
  }

  #ask(): void {
    if (this.#isAsked) return;
    this.#isAsked = true;
    this.#parts.ping();
  }

  #activeSince(elapsed: number): number {
    if (this.#isAsked) return elapsed;
    const [before, active] = [this.#activeBefore, this.#active];
    this.#activeBefore = active;
    return before === undefined || active === undefined ? 0 : Math.max(0, active - before);
  }

  #addFree(): void {
    const now = this.#parts.timers.now();
    this.#free += now - this.#changedAt;
    this.#changedAt = now;
  }
}
