import type { SessionEvent } from '../../app/session/events.ts';
import type { Call, Fact, Row } from './row.ts';

/** The events that a row is made of, as the log has them; of a program also those of its calls. */
export function eventsOf(row: Row): readonly SessionEvent[] {
  return eventsIn(row).toSorted((one, other) => one.seq - other.seq);
}

function eventsIn(row: Row): readonly SessionEvent[] {
  switch (row.kind) {
    case 'turn':
      return [row.event, ...row.told];
    case 'said':
      return [row.event];
    case 'answer':
      return row.events;
    case 'card':
      return ofCall(row.call);
    case 'fact':
      return ofFact(row.fact);
    default:
      return [];
  }
}

function ofCall({ asked, started, result, nested }: Call): readonly SessionEvent[] {
  return [...[asked, started, result].filter((event) => event !== undefined), ...nested.flatMap(ofCall)];
}

function ofFact(fact: Fact): readonly SessionEvent[] {
  switch (fact.kind) {
    case 'policy':
      return [fact.preset, fact.mode, fact.policy].filter((event) => event !== undefined);
    case 'environment-ended':
      return [fact.confirmed, fact.event].filter((event) => event !== undefined);
    default:
      return [fact.event];
  }
}

/** When it began, as far as what is here says. */
export function timeOf(row: Row): number | undefined {
  switch (row.kind) {
    case 'card':
      return (row.call.asked ?? row.call.started ?? row.call.result)?.time;
    case 'turn':
    case 'said':
    case 'answer':
    case 'fact':
      return eventsIn(row)[0]?.time;
    default:
      return undefined;
  }
}
