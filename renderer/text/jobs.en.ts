import type { JobOutcome } from '../../app/job/events.ts';
import type { JobState } from '../../app/job/row.ts';
import { plain, strong } from '../transcript/emphasis.ts';
import type { JobPhase } from '../transcript/row.ts';

/** Jobs: in the transcript, on a card, in the drawer. */
export const jobsEn = {
  jobs: 'Jobs',
  none: 'No job of this Session is running. The agent starts one with a call, for what goes on beside its turns.',
  states: { running: 'running', ending: 'being ended', ended: 'ended' } satisfies Record<JobState, string>,
  stop: 'Stop',
  stopOf: (title: string) => `Stop ${title}`,
  output: 'Output from its beginning',
  readOutput: 'Read it from its beginning',
  readMore: 'Read on',
  nothingYet: 'Nothing has been printed yet.',
  nothing: 'Nothing was printed.',
  count: (n: number) => (n === 1 ? '1 job' : `${n} jobs`),
  unnamed: (id: string) => `job ${id}`,
  named: (title: string) => `job “${title}”`,
  phases: {
    running: 'running',
    ending: 'being ended',
    ended: 'ended',
    left: 'no end recorded',
    'not-loaded': 'end not loaded',
  } satisfies Record<JobPhase, string>,
  ends: {
    ended: 'ended',
    stopped: 'stopped',
    'mode-changed': 'Mode changed',
    'settings-changed': 'settings changed',
    'memory-limit': 'memory limit',
    'process-limit': 'process limit',
    'temp-limit': 'temp limit',
    'output-limit': 'output limit',
    'protected-entry': 'a hidden file appeared',
    shutdown: 'Gatehouse closed',
    restarted: 'Gatehouse was restarted',
  } satisfies Record<JobOutcome, string>,
  started: (job: string, pid: number | undefined) =>
    `Started ${strong(job)}${pid === undefined ? '' : `, pid ${pid}`}.`,
  writes: (paths: string) => `It says that it writes ${plain(paths)}.`,
  ended: (job: string, how: string) => `Over: ${strong(job)}, ${how}.`,
  ran: (time: string) => `It ran for ${time}.`,
};
