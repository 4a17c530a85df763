/** Tells every listener, one by one; one that throws starves nobody. */
export class Emitter<T> {
  readonly #listeners = new Set<(value: T) => void>();
  readonly #onFault: (fault: unknown) => void;

  constructor(onFault: (fault: unknown) => void) {
    this.#onFault = onFault;
  }

  emit(value: T): void {
    for (const listener of Array.from(this.#listeners)) {
      try {
        listener(value);
      } catch (fault) {
        this.#onFault(fault);
      }
    }
  }

  listen(listener: (value: T) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }
}
