import { visibleText } from '../../app/base/visible.ts';
import type { Core } from '../coreShape.ts';
import type { Texts } from './text.ts';

/** What would be cut off if the program ended now. */
export type LiveWork = readonly LiveItem[];

export interface LiveItem {
  readonly kind: 'running' | 'waiting' | 'job' | 'cleanup';
  /** Of the Session, of the job, or of what is being ended. */
  readonly title: string;
}

/** Sessions at work, jobs, which run also beside a Session that is idle, and endings of Sessions that are not at work. */
export async function liveWork(core: Pick<Core, 'sessions' | 'jobs' | 'cleanups'>): Promise<LiveWork> {
  const [{ sessions }, { jobs }, { cleanups }] = await Promise.all([
    core.sessions.list({}),
    core.jobs.list({}),
    core.cleanups.list({}),
  ]);
  const busy = sessions.filter(({ state }) => state === 'running' || state === 'waiting');
  const ids = new Set(busy.map(({ sessionId }) => sessionId));
  const ending = cleanups.filter(({ sessionId, phase }) => phase !== 'released' && !ids.has(sessionId));
  return [
    ...busy.map(({ state, title }) => ({
      kind: state === 'waiting' ? ('waiting' as const) : ('running' as const),
      title,
    })),
    ...jobs.filter(({ state }) => state === 'running').map(({ title }) => ({ kind: 'job' as const, title })),
    ...ending.map(({ title }) => ({ kind: 'cleanup' as const, title })),
  ];
}

/** So many lines fit a dialog on a small screen. */
const LINES = 8;

export function liveWorkLines(work: LiveWork, { quit, untitled }: Texts): string {
  const lines = work.slice(0, LINES).map(({ kind, title }) => quit[kind](visibleText(title) || untitled));
  return [...lines, ...(work.length > LINES ? [quit.more(work.length - LINES)] : [])].join('\n');
}
