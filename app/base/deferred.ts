export interface Deferred<T> {
  readonly promise: Promise<T>;
  /** First call wins; later calls change nothing. */
  readonly resolve: (value: T) => void;
  readonly reject: (fault: Error) => void;
}

export function deferred<T>(): Deferred<T> {
  return Promise.withResolvers<T>();
}
