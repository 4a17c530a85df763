import type { SessionEvent } from '../../../app/session/events.ts';
import type { Switched } from '../../store/policy.ts';

export interface Ends {
  /** Confirmed gone. */
  readonly ended: number;
  /** An attempt to end it failed, and none has succeeded since. */
  readonly failed: number;
}

/** How far the endings of a switch are, as the log tells it after the event that recorded the switch. */
export function endsOf(stopping: Switched['stopping'], events: readonly SessionEvent[], seq: number): Ends {
  const gone = new Set<string>();
  const failed = new Set<string>();
  const asked = new Map<string, string>();
  for (const event of eventsAfter(events, seq)) {
    if (event.type === 'cleanup/asked') asked.set(event.data.cleanupId, keyOf(event.data));
    else if (event.type === 'cleanup/ended') {
      const key = asked.get(event.data.cleanupId) ?? '';
      (event.data.failed ? failed : gone).add(key);
    }
  }
  const isGone = (item: Switched['stopping'][number]): boolean => gone.has(keyOf(item));
  return {
    ended: stopping.filter(isGone).length,
    failed: stopping.filter((item) => failed.has(keyOf(item)) && !isGone(item)).length,
  };
}

/** The next turn or message after the event: what was said of it has been read by then. */
export function isPast(events: readonly SessionEvent[], seq: number): boolean {
  return eventsAfter(events, seq).some(({ type }) => type === 'user/message' || type === 'turn/start');
}

function eventsAfter(events: readonly SessionEvent[], seq: number): readonly SessionEvent[] {
  return events.slice(events.findLastIndex((event) => event.seq <= seq) + 1);
}

function keyOf({ what, id, pid }: { readonly what: string; readonly id: string; readonly pid?: number }): string {
  return `${what} ${id} ${pid ?? ''}`;
}
