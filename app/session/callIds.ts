import type { SessionEvent } from './events.ts';

/** How often each of the driver's call ids was used. The second use of `c` is logged as `c~2` (contract.md). */
export function callIdsOf(events: Iterable<SessionEvent>): ReadonlyMap<string, number> {
  const uses = new Map<string, number>();
  for (const event of events) countCallId(uses, event);
  return uses;
}

/** No number of ours is longer. A driver may choose one so long that adding to it changes nothing. */
const REPEATED = /^(.*)~(\d{1,9})$/s;

export function countCallId(uses: Map<string, number>, event: SessionEvent): void {
  if (event.type !== 'tool/call') return;
  const { callId } = event.data;
  raise(uses, callId, 1);
  const repeated = REPEATED.exec(callId);
  if (repeated?.[1] !== undefined) raise(uses, repeated[1], Number(repeated[2]));
}

function raise(uses: Map<string, number>, id: string, to: number): void {
  uses.set(id, Math.max(uses.get(id) ?? 0, to));
}
