import type { SessionDraft } from './events.ts';
import type { Folded, OpenCall } from './view/fold.ts';

/**
 * What a log that is opened for writing still owes (sessions.md, Recovery): whatever the last process left open ended
 * with it. Works on the fold, so it does not matter how long ago the turn began. Queued messages stay queued.
 */
export function recoveryOf(folded: Folded): readonly SessionDraft[] {
  return [
    ...folded.approvals.map(cancelled),
    // Proposed and not even recorded: the model is owed an answer to each call that it made.
    ...folded.proposed.map((call): SessionDraft => {
      const { callId, tool, input, step } = call;
      return { type: 'tool/call', data: { turn: folded.turn ?? folded.turns, step, callId, tool, input } };
    }),
    // The innermost first, as they would have come back.
    ...folded.calls
      .filter((call) => call.nestedIn)
      .reverse()
      .map(answer),
    ...folded.calls.filter((call) => !call.nestedIn).map(answer),
    ...folded.proposed.map(({ callId, tool }) => answer({ callId, tool, started: false })),
    ...folded.environments.map(({ id }): SessionDraft => ({
      type: 'environment/ended',
      data: { environmentId: id, reason: 'restarted', exitCode: null, signal: null },
    })),
    ...folded.jobs.map((jobId): SessionDraft => ({
      type: 'job/ended',
      data: { jobId, outcome: 'restarted', exitCode: null, signal: null },
    })),
    ...folded.cleanups.map(({ cleanupId, attempts }): SessionDraft => ({
      type: 'cleanup/ended',
      data: { cleanupId, phase: 'released', attempts },
    })),
    ...(folded.turn === undefined ? [] : [interrupted(folded.turn)]),
  ];
}

function cancelled(id: Folded['approvals'][number]): SessionDraft {
  return { type: 'approval/decided', data: { id, outcome: 'cancelled', by: 'system', reason: 'restarted' } };
}

function interrupted(turn: number): SessionDraft {
  return { type: 'turn/end', data: { turn, reason: 'interrupted' } };
}

function answer({ callId, tool, started, nestedIn }: OpenCall): SessionDraft {
  const outcome = started
    ? ({
        status: 'unknown',
        code: 'TOOL_OUTCOME_UNKNOWN',
        content: 'Gatehouse ended while this call was running. It may have had effects: look before you do it again.',
      } as const)
    : ({
        status: 'refused',
        code: 'TOOL_NOT_STARTED',
        content: 'Gatehouse ended before this call started. Nothing ran; it is safe to call again.',
      } as const);
  const result = { callId, tool, ...outcome };
  if (nestedIn) return { type: 'tool/nested-result', data: { ...result, ...nestedIn } };
  return { type: 'tool/result', data: result };
}
