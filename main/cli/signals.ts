/** npm passes on a signal that its terminal has sent to everybody already: so long it is the same wish. */
const SAME_WISH_MS = 500;

/**
 * Aborted by the first SIGTERM, SIGINT or SIGHUP. A later one ends the process at once, as if nobody listened; the same
 * one told twice is no later one.
 */
export function endSignal(from: NodeJS.EventEmitter): AbortSignal {
  const end = new AbortController();
  const names = ['SIGTERM', 'SIGINT', 'SIGHUP'];
  const stopListening = (): void => {
    for (const name of names) from.removeListener(name, onSignal);
  };
  const onSignal = (): void => {
    if (end.signal.aborted) return;
    end.abort();
    setTimeout(stopListening, SAME_WISH_MS).unref();
  };
  for (const name of names) from.on(name, onSignal);
  return end.signal;
}
