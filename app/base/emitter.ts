/** Tells every listener, one by one, in the order they came; one that throws starves nobody. */
export class Emitter<T> {
  readonly #listeners = new Set<(value: T) => void>();
  readonly #onFault: (fault: unknown) => void;

  constructor(onFault: (fault: unknown) => void) {
    this.#onFault = onFault;
  }

  emit(value: T): void {
    // A copy: who comes or goes meanwhile is not part of this round.
    for (const listener of Array.from(this.#listeners)) {
      try {
        listener(value);
      } catch (fault) {
        this.#onFault(fault);
      }
    }
  }

  /** The returned function ends it. */
  listen(listener: (value: T) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }
}
