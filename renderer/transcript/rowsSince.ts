import { eventsOf } from './eventsOf.ts';
import type { Row } from './row.ts';

/** How many rows begin with the event `seq` or a later one. */
export function rowsSince(rows: readonly Row[], seq: number): number {
  let count = 0;
  for (let at = rows.length - 1; at >= 0; at -= 1) {
    const row = rows[at];
    if (!row || row.seq < seq) break;
    if (row.kind !== 'newer' && row.kind !== 'read-only') count += 1;
  }
  return count;
}

/** The row that tells of the event, or else the last one before it. */
export function rowOfEvent(rows: readonly Row[], seq: number): Row | undefined {
  const telling = rows.findLast((row) => row.seq <= seq && eventsOf(row).some((event) => event.seq === seq));
  return telling ?? rows.findLast((row) => row.seq <= seq) ?? rows[0];
}
