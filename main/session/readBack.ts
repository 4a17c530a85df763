import { open } from 'node:fs/promises';
import { frozen } from '../../app/base/json.ts';
import type { SessionEvent } from '../../app/session/events.ts';
import { parseLine } from './line.ts';
import { linesOf } from './lines.ts';
import type { Scan } from './scan.ts';

/** The readable events of `[from, to)`: reading begins at the nearest mark, never at the beginning of a long file. */
export async function readBack(
  path: string,
  scan: Scan,
  { from, to, signal }: { readonly from: number; readonly to: number; readonly signal: AbortSignal },
): Promise<readonly SessionEvent[]> {
  const start = scan.marks.findLast((mark) => mark.seq <= from) ?? scan.marks[0];
  if (!start || from >= to || from >= scan.length) return [];
  const events: SessionEvent[] = [];
  const file = await open(path, 'r');
  try {
    let next = start.seq;
    for await (const lines of linesOf(file, { from: start.offset, to: endOf(scan, to) }, signal)) {
      for (const line of lines) {
        const stored = parseLine(line);
        // Damaged lines and repeated events are the scan's business; here they are left out.
        if (typeof stored === 'string' || stored.event.seq < next) continue;
        next = stored.event.seq + 1;
        if (stored.event.seq >= from && stored.event.seq < to) events.push(frozen(stored.event));
      }
    }
  } finally {
    await file.close();
  }
  return events;
}

/** Where the event `to` or one behind it begins. */
function endOf(scan: Scan, to: number): number {
  return scan.marks.find((mark) => mark.seq >= to)?.offset ?? scan.end;
}
