import { spawn } from 'node:child_process';
import { once } from 'node:events';

/** One measured thing against what it must not exceed; without a target it is only told. */
export interface Row {
  readonly name: string;
  readonly unit: 'B' | 'ms' | 'µs' | 'MB' | '× Node';
  readonly measured: number;
  readonly target?: number;
  /** Why there is nothing to tell; `measured` means nothing then. */
  readonly missing?: string;
  /** What a plain `node -e 0` took in the same moments: the unit `B`. */
  readonly plainMs?: number;
}

export interface Ratio {
  readonly name: string;
  readonly target?: number | undefined;
  readonly plain: readonly number[];
  readonly measured: readonly number[];
}

/** Medians, so that one hiccup of the machine is no result. */
export function toRow({ name, target, plain, measured }: Ratio): Row {
  const plainMs = median(plain);
  return { name, unit: 'B', measured: median(measured) / plainMs, ...(target !== undefined && { target }), plainMs };
}

export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

/** The smallest value that at least this share of all does not exceed. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN;
}

export function plainStart(): Promise<number> {
  return timed(async () => {
    const child = spawn(process.execPath, ['-e', '0'], { env: { PATH: process.env['PATH'] ?? '' }, stdio: 'ignore' });
    await once(child, 'exit');
  });
}

export async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}
