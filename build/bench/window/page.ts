/// <reference lib="dom" />

// What is measured within a page. Each function is sent there as text, so it knows nothing but its arguments.

declare global {
  interface Window {
    /** What was measured since it was last taken, in milliseconds. */
    measured: { tasks: number[]; keys: number[] };
  }
}

/** From now on: tasks that keep the page from drawing, and for each key the time from its press until the page is drawn with it. */
export function watch(): void {
  window.measured = { tasks: [], keys: [] };
  new PerformanceObserver((list) => {
    window.measured.tasks.push(...list.getEntries().map(({ duration }) => duration));
  }).observe({ type: 'longtask' });
  window.addEventListener(
    'keydown',
    ({ timeStamp }) => {
      requestAnimationFrame(() => {
        const { port1, port2 } = new MessageChannel();
        // A message comes after the frame has been drawn.
        port1.addEventListener('message', () => window.measured.keys.push(performance.now() - timeStamp));
        port1.start();
        port2.postMessage(undefined);
      });
    },
    { capture: true },
  );
}

export function take(): { readonly tasks: readonly number[]; readonly keys: readonly number[] } {
  const { measured } = window;
  window.measured = { tasks: [], keys: [] };
  return measured;
}

/** The time of the next click, and of the first drawn frame after it in which every selector names something in view. */
export function clickToDrawn(selectors: readonly string[]): Promise<number> {
  const isInView = (selector: string): boolean => {
    const { top, bottom, height } = document.querySelector(selector)?.getBoundingClientRect() ?? new DOMRect();
    return height > 0 && bottom > 0 && top < innerHeight;
  };
  return new Promise((resolve) => {
    const look = (from: number): void => {
      requestAnimationFrame(() => {
        if (!selectors.every(isInView)) return look(from);
        setTimeout(() => resolve(performance.now() - from));
      });
    };
    window.addEventListener('click', ({ timeStamp }) => look(timeStamp), { capture: true, once: true });
  });
}

/** When, by the clock of this machine, a frame was drawn in which a selector names something. */
export function drawnAt(selector: string): Promise<number> {
  return new Promise((resolve) => {
    const look = (): void => {
      if (document.querySelector(selector)) setTimeout(() => resolve(performance.timeOrigin + performance.now()));
      else requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
  });
}

export function nextFrame(): Promise<unknown> {
  return new Promise((drawn) => requestAnimationFrame(drawn));
}
