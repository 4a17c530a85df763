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

/** Live events that come while the answer of `session.open` is under way. */
let early: SessionEvent[] = [];
/** The Session whose snapshot is asked for once more. */
let resyncing: SessionId | undefined;

export async function openSession(sessionId: SessionId): Promise<void> {
  early = [];
  become({ kind: 'opening', sessionId });
  try {
    const opened = await request('session.open', { sessionId });
    if (!isShown(sessionId)) return;
    become(toOpen(sessionId, opened));
    hearEvents(sessionId, early.splice(0));
  } catch (fault) {
    if (isShown(sessionId)) become({ kind: 'failed', sessionId, message: messageOf(fault) });
  }
}

export function closeSession(): void {
  become({ kind: 'none' });
}

/** The live events of one frame. A gap in the numbers means: ask for the snapshot again. */
export function hearEvents(sessionId: SessionId, events: readonly SessionEvent[]): void {
  const { opened } = useOpened.getState();
  if (opened.kind === 'none' || opened.sessionId !== sessionId) return;
  if (opened.kind === 'opening') return void early.push(...events);
  if (opened.kind === 'failed') return;
  const fresh = events.filter((event) => event.seq >= opened.length);
  if (fresh.length === 0) return;
  if (fresh[0]?.seq === opened.length) become(live(opened, fresh));
  else if (resyncing === sessionId) early.push(...fresh);
  else void resync(sessionId);
}

/**
 * What was told while this window could not hear it. The transcript stays on screen meanwhile. When the answer does not
 * come, the connection is lost, and it is asked for again when that is back.
 */
export async function resync(sessionId: SessionId): Promise<void> {
  if (resyncing === sessionId) return;
  resyncing = sessionId;
  early = [];
  try {
    const opened = await request('session.open', { sessionId });
    const now = useOpened.getState().opened;
    if (now.kind === 'open' && now.sessionId === sessionId) become(refreshed(now, toOpen(sessionId, opened)));
  } catch {
    // Said by the connection bar; the next event finds the gap again.
    early = [];
  } finally {
    resyncing = undefined;
  }
  hearEvents(sessionId, early.splice(0));
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
  await turnPage((opened) => !isHere(opened) && seq < opened.length && pageAround(seq), around);
}

/** To the end of the log, which a person has left far behind. */
export async function loadEnd(): Promise<void> {
  const { opened } = useOpened.getState();
  if (opened.kind !== 'open' || opened.end === opened.length) return;
  const output = await request('session.open', { sessionId: opened.sessionId });
  if (isShown(opened.sessionId)) become(toOpen(opened.sessionId, output));
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

function isShown(sessionId: SessionId): boolean {
  const { opened } = useOpened.getState();
  return opened.kind !== 'none' && opened.sessionId === sessionId;
}

function become(opened: Opened): void {
  useOpened.setState({ opened });
}

function messageOf(fault: unknown): string {
  return fault instanceof Error ? fault.message : String(fault);
}
