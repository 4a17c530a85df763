import type { Dictionary } from '../../text/text.ts';
import { endOf, isTrouble } from '../jobText.ts';
import type { Call, Job } from '../row.ts';
import { toolOf } from './head.ts';
import type { Tag } from './tag.ts';

/** The job that a call has started; another call may only be about one. */
export function jobOf(call: Call): Job | undefined {
  return toolOf(call) === 'job_start' && call.result?.data.status === 'ok' ? call.job : undefined;
}

/** It goes on after the result of the call that started it. */
export function isJobLive(call: Call): boolean {
  const phase = jobOf(call)?.phase;
  return phase === 'running' || phase === 'ending';
}

/** How long it ran, or has been running. */
export function jobTime({ phase, started, ended }: Job, now: number): number | undefined {
  if (!started) return undefined;
  if (ended) return Math.max(0, ended.time - started.time);
  return phase === 'running' || phase === 'ending' ? Math.max(0, now - started.time) : undefined;
}

export function jobState({ phase, ended }: Job, dictionary: Dictionary): Tag {
  const { phases } = dictionary.jobs;
  if (!ended) return { key: 'state', tone: TONES[phase], text: phases[phase] };
  const tone = isTrouble(ended) ? 'danger' : ended.data.outcome === 'ended' ? 'run' : 'wait';
  return { key: 'state', tone, text: endOf(ended, dictionary) };
}

const TONES = { running: 'run', ending: 'wait', ended: 'plain', left: 'plain', 'not-loaded': 'plain' } as const;
