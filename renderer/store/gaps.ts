import type { SessionEvent } from '../../app/session/events.ts';

/** Numbers that the log should hold and that could not be read, both included. */
export interface Gap {
  readonly from: number;
  readonly to: number;
}

/**
 * What is missing among the events of `[from, to)` as they were read, before any of them are joined. Only a damaged log
 * has gaps: live events come without one.
 */
export function gapsIn(events: readonly SessionEvent[], from: number, to: number): readonly Gap[] {
  const gaps: Gap[] = [];
  let next = from;
  for (const { seq } of events) {
    if (seq > next) gaps.push({ from: next, to: seq - 1 });
    next = seq + 1;
  }
  if (next < to) gaps.push({ from: next, to: to - 1 });
  return gaps;
}

/** Of two runs, one after the other: a gap that goes on across the border is one. */
export function gapsOfBoth(before: readonly Gap[], after: readonly Gap[]): readonly Gap[] {
  const [last, first] = [before.at(-1), after[0]];
  if (!last || !first || last.to + 1 !== first.from) return [...before, ...after];
  return [...before.slice(0, -1), { from: last.from, to: first.to }, ...after.slice(1)];
}
