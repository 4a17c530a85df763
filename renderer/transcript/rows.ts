import type { SessionEvent } from '../../app/session/events.ts';
import { RowBook } from './rowBook.ts';
import type { Row, Standing } from './row.ts';
import { shared } from './shared.ts';

/**
 * A run of the log as rows, in its order (ui.md, Transcript). Says nothing that no event says. A row that is the same as
 * in `before` is that very object, so that only what has changed is drawn again.
 */
export function rowsOf(
  events: readonly SessionEvent[],
  standing: Standing,
  before: readonly Row[] = [],
): readonly Row[] {
  const book = new RowBook(standing);
  for (const event of events) book.hear(event);
  const known = new Map(before.map((row) => [row.key, row]));
  const rows = book.rows().map((row) => shared(known.get(row.key), row));
  const isSame = rows.length === before.length && rows.every((row, index) => row === before[index]);
  return isSame ? before : rows;
}
