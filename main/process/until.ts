import { setTimeout as delay } from 'node:timers/promises';

/**
 * Asks `check` again and again until it holds or `ms` are over; false then. For what the operating system sends no event
 * of. The longer it took already, the more time there is between two questions: 1 ms at first, 20 ms in the end.
 */
export async function until(
  check: () => boolean | Promise<boolean>,
  ms: number,
  signal?: AbortSignal,
): Promise<boolean> {
  const begin = performance.now();
  for (;;) {
    if (await check()) return true;
    const passed = performance.now() - begin;
    if (passed >= ms) return false;
    await delay(Math.min(Math.max(1, passed / 10), 20), undefined, signal && { signal });
  }
}
