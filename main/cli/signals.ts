/** Aborted by the first SIGTERM, SIGINT or SIGHUP. A second one ends the process at once, as if nobody listened. */
export function endSignal(from: NodeJS.EventEmitter): AbortSignal {
  const end = new AbortController();
  const names = ['SIGTERM', 'SIGINT', 'SIGHUP'];
  const onSignal = (): void => {
    for (const name of names) from.removeListener(name, onSignal);
    end.abort();
  };
  for (const name of names) from.on(name, onSignal);
  return end.signal;
}
