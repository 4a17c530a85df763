// The one thing of a host that the core may name: how an operation learns that it is cancelled. Both hosts provide it.
// `AbortSignal.timeout` is left out: it reads a clock, and in the core the clock is an argument.

declare class AbortSignal {
  private constructor();
  static abort(reason?: unknown): AbortSignal;
  static any(signals: Iterable<AbortSignal>): AbortSignal;
  readonly aborted: boolean;
  readonly reason: unknown;
  throwIfAborted(): void;
  addEventListener(type: 'abort', listener: () => void, options?: { readonly once?: boolean }): void;
  removeEventListener(type: 'abort', listener: () => void): void;
}

declare class AbortController {
  readonly signal: AbortSignal;
  abort(reason?: unknown): void;
}
