import { visibleText } from '../../app/base/visible.ts';
import type { Core } from '../coreShape.ts';
import type { Texts } from './text.ts';

/** What would be cut off if the program ended now. */
export type LiveWork = readonly LiveItem[];

export interface LiveItem {
  readonly kind: 'running' | 'waiting' | 'cleanup';
  /** Of the Session, or of what is being ended. */
  readonly title: string;
}

/** Sessions at work, and endings of Sessions that are not. */
export async function liveWork(core: Pick<Core, 'sessions' | 'cleanups'>): Promise<LiveWork> {
  const [{ sessions }, { cleanups }] = await Promise.all([core.sessions.list({}), core.cleanups.list({})]);
  const busy = sessions.filter(({ state }) => state === 'running' || state === 'waiting');
  const ids = new Set(busy.map(({ sessionId }) => sessionId));
  const ending = cleanups.filter(({ sessionId, phase }) => phase !== 'released' && !ids.has(sessionId));
  return [
    ...busy.map(({ state, title }) => ({
      kind: state === 'waiting' ? ('waiting' as const) : ('running' as const),
      title,
    })),
    ...ending.map(({ title }) => ({ kind: 'cleanup' as const, title })),
  ];
}

/** So many lines fit a dialog on a small screen. */
const LINES = 8;

export function liveWorkLines(work: LiveWork, { quit, untitled }: Texts): string {
  const lines = work.slice(0, LINES).map(({ kind, title }) => quit[kind](visibleText(title) || untitled));
  return [...lines, ...(work.length > LINES ? [quit.more(work.length - LINES)] : [])].join('\n');
}
