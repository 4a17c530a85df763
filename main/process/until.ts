import { setTimeout as delay } from 'node:timers/promises';

/**
 * Asks `check` again and again until it holds or `ms` are over; false then. For what the operating system sends no event
 * of. The first questions come quickly, later ones every 20 ms.
 */
export async function until(check: () => boolean | Promise<boolean>, ms: number, signal?: AbortSignal): Promise<boolean> {
  const end = performance.now() + ms;
  for (let pause = 1; ; pause = Math.min(pause * 1.5, 20)) {
    if (await check()) return true;
    if (performance.now() >= end) return false;
    await delay(pause, undefined, signal && { signal });
  }
}
