import type { CallId, JobId } from '../../app/base/id.ts';
import type { Json } from '../../app/base/json.ts';
import type { EventOf, Job, JobPhase, Standing } from './row.ts';
import { memberOf } from './texts.ts';

interface Draft {
  readonly jobId: JobId;
  started?: EventOf<'job/started'>;
  ended?: EventOf<'job/ended'>;
  /** The Session was opened again since: whatever its log says, it does not run. */
  isPast: boolean;
}

/** The jobs of a run of the log, whichever of their events are in it. */
export class JobBook {
  readonly #drafts = new Map<JobId, Draft>();
  readonly #byCall = new Map<CallId, JobId>();

  start(event: EventOf<'job/started'>): void {
    const { jobId, callId } = event.data;
    this.#draft(jobId).started = event;
    this.#byCall.set(callId, jobId);
  }

  end(event: EventOf<'job/ended'>): void {
    this.#draft(event.data.jobId).ended = event;
  }

  openAgain(): void {
    for (const draft of this.#drafts.values()) draft.isPast = true;
  }

  started(id: string): EventOf<'job/started'> | undefined {
    return this.#drafts.get(id as JobId)?.started; // Of an id that is none of a job there is nothing.
  }

  /** The job that a call has started, or is about. */
  of(callId: CallId, input: Json | undefined): JobId | undefined {
    const named = memberOf(input, 'jobId');
    if (typeof named === 'string' && this.started(named)) return named as JobId; // The line above has found it.
    return this.#byCall.get(callId);
  }

  job(jobId: JobId, standing: Standing, isEnding: boolean): Job {
    const draft = this.#drafts.get(jobId) ?? { jobId, isPast: false };
    const { started, ended } = draft;
    const phase = phaseOf(draft, standing, isEnding);
    return { jobId, phase, ...(started && { started }), ...(ended && { ended }) };
  }

  #draft(jobId: JobId): Draft {
    const draft = this.#drafts.get(jobId) ?? { jobId, isPast: false };
    this.#drafts.set(jobId, draft);
    return draft;
  }
}

function phaseOf({ ended, isPast }: Draft, { end, length }: Standing, isEnding: boolean): JobPhase {
  if (ended) return 'ended';
  if (isPast) return 'left';
  if (end < length) return 'not-loaded';
  return isEnding ? 'ending' : 'running';
}
