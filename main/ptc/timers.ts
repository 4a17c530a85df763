/** The clock of budgets and limits. A test drives its own. */
export interface Timers {
  /** Milliseconds; only differences count. */
  now(): number;
  /** The returned function takes it back. */
  after(ms: number, job: () => void): () => void;
}

/** They keep nothing alive: what they watch does. */
export const realTimers: Timers = {
  now: () => performance.now(),
  after: (ms, job) => {
    const timer = setTimeout(job, ms);
    timer.unref();
    return () => clearTimeout(timer);
  },
};
