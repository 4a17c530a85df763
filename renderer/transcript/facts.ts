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
      return { kind: 'cleanup-asked', event, over, ...ofItem(id, calls) };
    }
    case 'cleanup/ended': {
      const asked = calls.cleanup(event.data.cleanupId);
      return { kind: 'cleanup-ended', event, ...(asked && { asked, ...ofItem(asked.data.id, calls) }) };
    }
    case 'job/started':
      return { kind: 'job-started', event };
    case 'job/ended': {
      const started = calls.jobs.started(event.data.jobId);
      return { kind: 'job-ended', event, ...(started && { started }) };
    }
    case 'hook/ran': {
      const call = event.data.callId === undefined ? undefined : calls.asked(event.data.callId);
      return { kind: 'hook', event, ...(call && { call }) };
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

function ofItem(id: string, calls: CallBook): Pick<Extract<Fact, { kind: 'cleanup-asked' }>, 'call' | 'job'> {
  const [call, job] = [calls.asked(id), calls.jobs.started(id)];
  return { ...(call && { call }), ...(job && { job }) };
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
