import type { CallBook } from './calls.ts';
import type { EventOf, Fact, Standing } from './row.ts';
import type { SessionEvent } from '../../app/session/events.ts';

/** Everything that was heard, when all of it was. */
export interface Known {
  readonly calls: CallBook;
  readonly turns: ReadonlyMap<number, EventOf<'turn/start'>>;
  readonly standing: Standing;
  /** The ending that was recorded right before. */
  readonly confirmed: EventOf<'cleanup/ended'> | undefined;
}

/** The model's copy of the policy is no event of its own for a person: the line above it says the same. */
export function isFact(event: SessionEvent): boolean {
  return event.type !== 'context/policy';
}

export function factOf(event: SessionEvent, known: Known): Fact {
  const { calls, turns, standing } = known;
  switch (event.type) {
    case 'approval/asked':
      return { kind: 'asked', event, open: standing.approvals.includes(event.data.id) };
    case 'approval/decided': {
      const asked = calls.question(event.data.id);
      return { kind: 'decided', event, ...(asked && { asked }) };
    }
    case 'environment/started':
      return { kind: 'environment-started', event };
    case 'environment/ended':
      return environmentEnded(event, known);
    case 'cleanup/asked': {
      const { cleanupId, id } = event.data;
      const over = standing.cleanups.every((open) => open.cleanupId !== cleanupId);
      return { kind: 'cleanup-asked', event, over, ...ofCall(id, calls) };
    }
    case 'cleanup/ended': {
      const asked = calls.cleanup(event.data.cleanupId);
      return { kind: 'cleanup-ended', event, ...(asked && { asked, ...ofCall(asked.data.id, calls) }) };
    }
    case 'turn/stopping':
      return { kind: 'stopping', event, over: standing.turn !== event.data.turn };
    case 'turn/end': {
      const start = turns.get(event.data.turn);
      return { kind: 'turn-end', event, ...(start && { start }) };
    }
    default:
      return { kind: 'other', event };
  }
}

function ofCall(id: string, calls: CallBook): { readonly call?: NonNullable<ReturnType<CallBook['asked']>> } {
  const call = calls.asked(id);
  return call ? { call } : {};
}

function environmentEnded(event: EventOf<'environment/ended'>, { calls, confirmed }: Known): Fact {
  const { environmentId, cleanupId } = event.data;
  const started = calls.environment(environmentId);
  const asked = calls.cleanup(cleanupId);
  const isConfirmed = confirmed !== undefined && confirmed.data.cleanupId === cleanupId && !confirmed.data.failed;
  return {
    kind: 'environment-ended',
    event,
    ...(started && { started }),
    ...(asked && { asked }),
    ...(isConfirmed && { confirmed }),
  };
}
