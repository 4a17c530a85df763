import { create } from 'zustand';
import type { SessionId } from '../../app/base/id.ts';
import type { SessionEvent } from '../../app/session/events.ts';
import { request } from '../api.ts';
import {
  around,
  earlier,
  later,
  live,
  pageAround,
  pageAfter,
  pageBefore,
  refreshed,
  shortest,
  toOpen,
} from './held.ts';
import type { Opened, OpenSession } from './openSession.ts';

export type { Opened, OpenSession } from './openSession.ts';

export const useOpened = create<{ readonly opened: Opened }>(() => ({ opened: { kind: 'none' } }));

/** A snapshot of a Session that is under way, and the live events that come meanwhile: they follow it, or are in it. */
interface Asking {
  readonly sessionId: SessionId;
  readonly early: SessionEvent[];
}

/** The last one that was asked for; what an earlier one brings is older, and dropped. */
let asking: Asking | undefined;

export async function openSession(sessionId: SessionId): Promise<void> {
  become({ kind: 'opening', sessionId });
  const mine = ask(sessionId);
  try {
    take(mine, toOpen(sessionId, await request('session.open', { sessionId })));
  } catch (fault) {
    if (asking === mine) become({ kind: 'failed', sessionId, message: messageOf(fault) });
  } finally {
    finish(mine);
  }
}

export function closeSession(): void {
  asking = undefined;
  become({ kind: 'none' });
}

/** The live events of one frame. A gap in the numbers means: ask for the snapshot again. */
export function hearEvents(sessionId: SessionId, events: readonly SessionEvent[]): void {
  const { opened } = useOpened.getState();
  if (opened.kind === 'none' || opened.sessionId !== sessionId) return;
  asking?.early.push(...events);
  if (opened.kind !== 'open') return;
  const fresh = events.filter((event) => event.seq >= opened.length);
  if (fresh.length === 0) return;
  if (fresh[0]?.seq === opened.length) become(live(opened, fresh));
  else if (!asking) void resync(sessionId);
}

/**
 * What was told while this window could not hear it. The transcript stays on screen meanwhile. When the answer does not
 * come, the connection is lost, and it is asked for again when that is back.
 */
export async function resync(sessionId: SessionId): Promise<void> {
  const mine = ask(sessionId);
  try {
    const fresh = toOpen(sessionId, await request('session.open', { sessionId }));
    const now = useOpened.getState().opened;
    take(mine, now.kind === 'open' ? refreshed(now, fresh) : fresh);
  } catch {
    // Said by the connection bar; the next event finds the gap again.
  } finally {
    finish(mine);
  }
}

function ask(sessionId: SessionId): Asking {
  asking = { sessionId, early: [] };
  return asking;
}

/** What came while it was under way is heard once more: the snapshot may be older than that. */
function take(mine: Asking, snapshot: OpenSession): void {
  if (asking !== mine) return;
  finish(mine);
  become(snapshot);
  hearEvents(mine.sessionId, mine.early);
}

function finish(mine: Asking): void {
  if (asking === mine) asking = undefined;
}

/** The page before the first event here. Resolves when it is there. */
export async function loadOlder(): Promise<void> {
  await turnPage((opened) => opened.first > 0 && pageBefore(opened), earlier);
}

/** The page behind the last event here; nothing while the end of the log is here. */
export async function loadNewer(): Promise<void> {
  await turnPage((opened) => opened.end < opened.length && pageAfter(opened), later);
}

/** Makes sure that the event `seq` is here: what is shown becomes the run of the log around it. */
export async function loadAround(seq: number): Promise<void> {
  const isHere = (opened: OpenSession): boolean => seq >= opened.first && seq < opened.end;
  await turnPage((opened) => !isHere(opened) && seq < opened.length && pageAround(opened, seq), around);
}

/** To the end of the log, which a person has left far behind. */
export async function loadEnd(): Promise<void> {
  const { opened } = useOpened.getState();
  if (opened.kind !== 'open' || opened.end === opened.length) return;
  const { sessionId } = opened;
  const mine = ask(sessionId);
  try {
    take(mine, toOpen(sessionId, await request('session.open', { sessionId })));
  } finally {
    finish(mine);
  }
}

/** Back at the end: what lies far above it is let go. */
export function forgetOlder(): void {
  const { opened } = useOpened.getState();
  if (opened.kind === 'open' && opened.end === opened.length) become(shortest(opened));
}

interface Page {
  readonly from: number;
  readonly to: number;
}

/** Reads a page and puts it where it belongs, unless something else is shown by then. */
async function turnPage(
  wanted: (opened: OpenSession) => Page | false,
  put: (opened: OpenSession, page: Page, events: readonly SessionEvent[]) => OpenSession,
): Promise<void> {
  const { opened } = useOpened.getState();
  const page = opened.kind === 'open' && wanted(opened);
  if (opened.kind !== 'open' || !page) return;
  const { sessionId } = opened;
  const { events } = await request('session.events', { sessionId, ...page });
  const now = useOpened.getState().opened;
  if (now.kind !== 'open' || now.sessionId !== sessionId) return;
  const still = wanted(now);
  if (still && still.from === page.from && still.to >= page.to) become(put(now, page, events));
}

function become(opened: Opened): void {
  useOpened.setState({ opened });
}

function messageOf(fault: unknown): string {
  return fault instanceof Error ? fault.message : String(fault);
}
