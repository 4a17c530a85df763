import { useSyncExternalStore } from 'react';

const STEP_MS = 1_000;
const listeners = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;
let now = Date.now();

/** The time, a second at a time; one clock for all that show it, and none while nothing does. */
export function useNow(): number {
  return useSyncExternalStore(listen, () => now);
}

function listen(listener: () => void): () => void {
  if (listeners.size === 0) now = Date.now();
  listeners.add(listener);
  timer ??= setInterval(tick, STEP_MS);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

function tick(): void {
  now = Date.now();
  for (const listener of Array.from(listeners)) listener();
}
