import type { JobId } from '../base/id.ts';
import type { JobEvent } from '../job/events.ts';

type Started = Extract<JobEvent, { readonly type: 'job/started' }>['data'];
type Ended = Extract<JobEvent, { readonly type: 'job/ended' }>['data'];

/** The jobs of a log: each is started once, by a call that runs, and ends at most once. */
export class JobLedger {
  readonly #seen = new Set<JobId>();
  readonly #open = new Set<JobId>();

  start({ jobId, callId }: Started, callRuns: boolean): readonly string[] {
    const problems = [
      ...(this.#seen.has(jobId) ? [`Job ${jobId} is started a second time`] : []),
      ...(callRuns ? [] : [`Job ${jobId} is started by ${callId}, which does not run`]),
    ];
    this.#seen.add(jobId);
    this.#open.add(jobId);
    return problems;
  }

  end({ jobId }: Ended): readonly string[] {
    if (this.#open.delete(jobId)) return [];
    return [`Job ${jobId} ends and ${this.#seen.has(jobId) ? 'has ended before' : 'was never started'}`];
  }

  /** What was left open before the end of a seed belongs to another lifetime. */
  forget(): void {
    this.#open.clear();
  }
}
