/** Lets everything go on that does not wait for something outside. */
export const settled = () => new Promise<void>((resolve) => setImmediate(resolve));

/** Waits for the real world with a bound; what it waits for is an event of the code under test. */
export async function until(met: () => boolean): Promise<void> {
  for (let turns = 0; !met(); turns += 1) {
    if (turns > 1_000) throw new Error('It never happened');
    await settled();
  }
}

export function only<T>(items: readonly T[]): T {
  const [item] = items;
  if (item === undefined || items.length !== 1) throw new Error(`Expected one, got ${items.length}`);
  return item;
}

/** A signal that knows how many listen to it. */
export function countedSignal(): {
  readonly signal: AbortSignal;
  readonly abort: (reason: unknown) => void;
  readonly listeners: () => number;
} {
  const controller = new AbortController();
  const { signal } = controller;
  let listeners = 0;
  const add = signal.addEventListener.bind(signal);
  const remove = signal.removeEventListener.bind(signal);
  Object.assign(signal, {
    addEventListener: (...args: Parameters<typeof add>) => {
      listeners += 1;
      add(...args);
    },
    removeEventListener: (...args: Parameters<typeof remove>) => {
      listeners -= 1;
      remove(...args);
    },
  });
  return { signal, abort: (reason: unknown) => controller.abort(reason), listeners: () => listeners };
}
