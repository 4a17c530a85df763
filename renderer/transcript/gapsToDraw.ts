import type { RowOf, Standing } from './row.ts';

/** The header is line 1 of the file, and event 0 line 2. */
const LINES_BEFORE = 2;

/** The gaps of a damaged log, handed out where they belong: before the first event behind each. */
export class GapsToDraw {
  readonly #waiting: RowOf<'gap'>[];

  constructor({ gaps, readOnly, first, end, length }: Standing) {
    const damaged = readOnly?.reason === 'damaged' ? readOnly.line : undefined;
    const at = damaged === undefined ? undefined : damaged - LINES_BEFORE;
    const covers = (from: number, to: number) => at !== undefined && at >= from && at <= to;
    const rows = gaps.map(({ from, to }) => toRow(from, to, covers(from, to) ? damaged : undefined));
    // A line that took no number, such as a blank one, leaves no gap in the numbers.
    const isHere = at !== undefined && at >= first && (at < end || end === length);
    const isDrawn = rows.some(({ line }) => line !== undefined);
    this.#waiting = isHere && !isDrawn ? [...rows, toRow(at, at - 1, damaged)].toSorted(byPlace) : rows;
  }

  before(seq: number): readonly RowOf<'gap'>[] {
    const count = this.#waiting.findIndex(({ from }) => from > seq);
    return this.#waiting.splice(0, count < 0 ? this.#waiting.length : count);
  }

  rest(): readonly RowOf<'gap'>[] {
    return this.#waiting.splice(0);
  }
}

function toRow(from: number, to: number, line: number | undefined): RowOf<'gap'> {
  return { kind: 'gap', key: `gap${from}`, seq: from, from, to, ...(line !== undefined && { line }) };
}

function byPlace(one: RowOf<'gap'>, other: RowOf<'gap'>): number {
  return one.from - other.from;
}
