import { orAborted } from '../base/cancel.ts';
import { deferred, type Deferred } from '../base/deferred.ts';

/** Named points at which a script waits. Sticky: a barrier that was named early is already open (contract.md). */
export class Barriers {
  readonly #open = new Set<string>();
  readonly #waiting = new Map<string, Deferred<void>>();

  release(name: string): void {
    this.#open.add(name);
    this.#waiting.get(name)?.resolve();
    this.#waiting.delete(name);
  }

  /** Resolves when `name` is released; rejects with the reason of `signal` when that comes first. */
  async wait(name: string, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    if (this.#open.has(name)) return;
    const barrier = this.#waiting.get(name) ?? deferred<void>();
    this.#waiting.set(name, barrier);
    await orAborted(barrier.promise, signal);
  }
}
