import type { NormalisedProgram } from './normalise.ts';

type Shift = NormalisedProgram['shift'];

const PROGRAMS = 1_000;

/** Where the programs of one Environment were moved by what the host put before them. */
export class Positions {
  readonly #shifts = new Map<number, Shift>();

  add(cell: number, shift: Shift): void {
    if (shift.by === 0) return;
    this.#shifts.set(cell, shift);
    const [oldest] = this.#shifts.keys();
    if (this.#shifts.size > PROGRAMS && oldest !== undefined) this.#shifts.delete(oldest);
  }

  /** A stack trace with the columns of the programs as written. */
  correct(stack: string): string {
    return stack.replaceAll(/\bcell-(\d+)\.js:(\d+):(\d+)/g, (place, cell: string, line: string, column: string) => {
      const shift = this.#shifts.get(Number(cell));
      if (!shift || shift.line !== Number(line) || Number(column) <= shift.from) return place;
      return `cell-${cell}.js:${line}:${Math.max(1, Number(column) - shift.by)}`;
    });
  }
}
