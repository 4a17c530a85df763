import type { CallId } from '../../../app/base/id.ts';
import type { SessionEvent } from '../../../app/session/events.ts';
import type { OpenCleanup } from '../../../app/session/view/fold.ts';

export interface CleanupWait {
  readonly cleanup: OpenCleanup;
  /** When the call came to where it waits. */
  readonly since: number;
}

/**
 * The cleanup that a call waits for: the call is in the log, nobody is asked about it, and nothing of it has started,
 * while something older is still being ended.
 */
export function waitsForCleanup(
  events: readonly SessionEvent[],
  cleanups: readonly OpenCleanup[],
): CleanupWait | undefined {
  const cleanup = cleanups.find(({ failed, what }) => failed === undefined && !isAside(what));
  const ready = readySince(events);
  if (!cleanup || ready === undefined) return undefined;
  return { cleanup, since: Math.max(ready, cleanup.since) };
}

/** No call ever waits for the end of one of these. */
function isAside(what: OpenCleanup['what']): boolean {
  return what === 'job' || what === 'hook';
}

/** When the last call that has not started became free to: with its own event, or with the answer to its question. */
function readySince(events: readonly SessionEvent[]): number | undefined {
  const ready = new Map<CallId, number>();
  const asked = new Map<string, CallId>();
  for (const event of ofThisTurn(events)) {
    switch (event.type) {
      case 'tool/call':
        ready.set(event.data.callId, event.time);
        break;
      case 'approval/asked':
        asked.set(event.data.id, event.data.callId);
        ready.delete(event.data.callId);
        break;
      case 'approval/decided': {
        const callId = asked.get(event.data.id);
        if (callId !== undefined && event.data.outcome === 'allowed-once') ready.set(callId, event.time);
        break;
      }
      case 'tool/started':
      case 'tool/result':
        ready.delete(event.data.callId);
        break;
      default:
    }
  }
  return Array.from(ready.values()).at(-1);
}

function ofThisTurn(events: readonly SessionEvent[]): readonly SessionEvent[] {
  const start = events.findLastIndex(({ type }) => type === 'turn/start' || type === 'turn/end');
  return events[start]?.type === 'turn/end' ? [] : events.slice(start + 1);
}
