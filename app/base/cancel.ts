/** Why something was cancelled. Every `AbortSignal` of the product is aborted with a `Cancelled` that carries one. */
export type CancelCause =
  | { readonly kind: 'mode-changed'; readonly seq: number }
  | { readonly kind: 'settings-changed'; readonly seq: number }
  | { readonly kind: 'stopped'; readonly by: 'person' | 'parent' }
  | { readonly kind: 'shutdown' }
  | { readonly kind: 'unload' }
  | { readonly kind: 'timeout' }
  | { readonly kind: 'reset' }
  /** The program that made this nested call has ended. */
  | { readonly kind: 'program-ended' }
  | { readonly kind: 'turn-ended' }
  /** The process of the agent that made the call is gone. */
  | { readonly kind: 'agent-died' }
  | { readonly kind: 'policy-never' };

/** The one reason that signals are aborted with. An Error, so that `throwIfAborted` throws one. */
export class Cancelled extends Error {
  override readonly name = 'Cancelled';
  readonly why: CancelCause;
  constructor(why: CancelCause) {
    super(`Cancelled: ${why.kind}`);
    this.why = why;
  }
}

/** The work, or the reason of the signal as soon as it is aborted; the work itself goes on. */
export async function orAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted();
  const { promise, reject } = Promise.withResolvers<never>();
  const abort = () => reject(signal.reason as Error); // Ours are always Cancelled; a foreign reason passes as it is.
  signal.addEventListener('abort', abort, { once: true });
  try {
    return await Promise.race([work, promise]);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}

/** The cause of an aborted signal. A foreign reason counts as a stop: it is still no consent and no result. */
export function causeOf(signal: AbortSignal): CancelCause {
  return signal.reason instanceof Cancelled ? signal.reason.why : { kind: 'stopped', by: 'person' };
}
