import type { SessionId } from '../../../app/base/id.ts';
import type { SessionEvent } from '../../../app/session/events.ts';

/** When the turn began; undefined where that lies before the first event here. */
export function turnBegan(events: readonly SessionEvent[], turn: number): number | undefined {
  return events.findLast((event) => event.type === 'turn/start' && event.data.turn === turn)?.time;
}

/** The log says that the turn is being stopped; it is over when the log says `turn/end`. */
export function isStopping(events: readonly SessionEvent[], turn: number): boolean {
  const last = events.findLast(
    (event) => (event.type === 'turn/stopping' || event.type === 'turn/start') && event.data.turn === turn,
  );
  return last?.type === 'turn/stopping';
}

export interface Inherited {
  readonly sessionId: SessionId;
  readonly seq: number;
}

/** Where the Mode in force was copied from; undefined once the child has been given one of its own. */
export function inheritedFrom(events: readonly SessionEvent[]): Inherited | undefined {
  const last = events.findLast((event) => event.type === 'sandbox/mode');
  return last?.type === 'sandbox/mode' && last.data.source === 'delegation' ? last.data.from : undefined;
}
