/** What one program, and one idle Environment, may use (ptc.md, Budgets). */
export interface Budgets {
  readonly busyMs: number;
  readonly wallMs: number;
  readonly outputBytes: number;
  readonly idleMs: number;
  /** How long a soft stop may take before the process is killed. */
  readonly stopMs: number;
  /** From launch until the kernel answers. */
  readonly startMs: number;
}

export const DEFAULT_BUDGETS: Budgets = {
  busyMs: 60_000,
  wallMs: 10 * 60_000,
  outputBytes: 8 * 1024 * 1024,
  idleMs: 30 * 60_000,
  stopMs: 300,
  startMs: 30_000,
};
