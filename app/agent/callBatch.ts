import { causeOf } from '../base/cancel.ts';
import { messageOf } from '../base/fault.ts';
import type { LeaseRun } from '../lease/lease.ts';
import type { Journal } from '../log/journal.ts';
import type { ProposedCall } from '../session/events.ts';
import type { Effect, ToolEvent } from '../tool/events.ts';
import { Lane } from '../tool/lane.ts';
import { cancelled, type Result } from '../tool/result.ts';
import { storableResult, type ResultStore } from '../tool/storableResult.ts';

export interface CallBatchParts {
  readonly session: ResultStore & { readonly journal: Journal<ToolEvent> };
  readonly effectOf: (tool: string) => Effect;
  readonly dispatch: (call: ProposedCall, lease: LeaseRun, signal: AbortSignal) => Promise<Result>;
  readonly onFault: (fault: unknown) => void;
}

/** Runs the calls of one answer. Every call gets exactly one result, in the order of the calls, whatever happens. */
export async function runCalls(
  parts: CallBatchParts,
  calls: readonly ProposedCall[],
  lease: LeaseRun,
  signal: AbortSignal,
): Promise<void> {
  const lane = new Lane();
  const logged = calls.map(async (call) => {
    // What makes a result storable belongs to the call, so that the lane's order is that of the log.
    const outcome = async () => await storableResult(await resultOf(parts, call, lease, signal), parts.session);
    const data = await lane.submit(parts.effectOf(call.tool), outcome);
    parts.session.journal.append({ type: 'tool/result', data });
  });
  // All of them, also when the log refuses one: nothing may run on behind the end of its turn.
  const settled = await Promise.allSettled(logged);
  const failed = settled.find((each) => each.status === 'rejected');
  if (failed) throw new Error('A result could not be logged', { cause: failed.reason });
}

async function resultOf(
  { dispatch, onFault }: CallBatchParts,
  call: ProposedCall,
  lease: LeaseRun,
  signal: AbortSignal,
): Promise<Result> {
  const { callId, tool } = call;
  if (signal.aborted) return { callId, tool, ...cancelled(causeOf(signal), 'Not started: the turn was stopped.') };
  try {
    return await dispatch(call, lease, signal);
  } catch (fault) {
    onFault(fault);
    const content = `The call failed: ${messageOf(fault)}`;
    return { callId, tool, status: 'failed', code: 'exception', content };
  }
}
