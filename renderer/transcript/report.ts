import type { SessionId } from '../../app/base/id.ts';
import type { HostDescription } from '../../app/contract/host.ts';
import type { SessionEvent } from '../../app/session/events.ts';

export interface ReportAbout {
  readonly sessionId: SessionId;
  /** The event of the row that is reported. */
  readonly seq: number;
  readonly host: Pick<HostDescription, 'host' | 'version' | 'platform'> | undefined;
}

export interface Report {
  readonly text: string;
  readonly events: number;
}

/** In UTF-16 units: more than this no form takes. What lies nearest to the row is kept. */
const LONGEST = 2 * 1024 * 1024;

/** The events of the turn that a row stands in, as JSON with a header. Nothing is in it that the log does not hold. */
export function reportOf(events: readonly SessionEvent[], { sessionId, seq, host }: ReportAbout): Report {
  const turn = turnAround(events, seq);
  const kept = fitting(turn, seq);
  const header = {
    report: 'gatehouse',
    version: host?.version ?? 'unknown',
    host: host?.host ?? 'unknown',
    platform: host?.platform ?? 'unknown',
    sessionId,
    about: seq,
    leftOut: turn.length - kept.length,
  };
  const lines = kept.map((event) => `    ${JSON.stringify(event)}`).join(',\n');
  const head = JSON.stringify(header, null, 2).slice(0, -2);
  return { text: `${head},\n  "events": [\n${lines}\n  ]\n}\n`, events: kept.length };
}

/** From the message that opened the turn to its end; outside of turns, everything between two of them. */
function turnAround(events: readonly SessionEvent[], seq: number): readonly SessionEvent[] {
  const at = events.findLastIndex((event) => event.seq <= seq);
  const before = events.slice(0, at + 1);
  const from = before.slice(0, -1).findLastIndex(({ type }) => type === 'turn/end') + 1;
  const to = events.findIndex((event, index) => index >= at && event.type === 'turn/end');
  return events.slice(from, to < 0 ? undefined : to + 1);
}

function fitting(events: readonly SessionEvent[], seq: number): readonly SessionEvent[] {
  const nearest = events.toSorted((one, other) => Math.abs(one.seq - seq) - Math.abs(other.seq - seq));
  const kept = new Set<SessionEvent>();
  let left = LONGEST;
  for (const event of nearest) {
    left -= JSON.stringify(event).length;
    if (left < 0 && kept.size > 0) break;
    kept.add(event);
  }
  return events.filter((event) => kept.has(event));
}
