import type { SessionId } from '../../app/base/id.ts';
import type { Output } from '../../app/contract/requests.ts';
import type { SessionEvent } from '../../app/session/events.ts';
import { fold } from '../../app/session/view/fold.ts';
import { foldedOf } from '../../app/session/view/follow.ts';
import { gapsIn, gapsOfBoth } from './gaps.ts';
import { joined } from './joined.ts';
import type { OpenSession } from './openSession.ts';

// What the window holds of a log (ui.md, Transcript): one run of it, moved and bounded. All of it is pure.

const WINDOW = 300;
const PAGE = 200;
/** Pages that a person has turned back to are kept; beyond this many the other end of the run goes. */
export const MOST = WINDOW + 10 * PAGE;

interface Page {
  readonly from: number;
  readonly to: number;
}

export function toOpen(sessionId: SessionId, { header, view, events, more }: Output<'session.open'>): OpenSession {
  const first = more ? (events[0]?.seq ?? 0) : 0;
  // The view may know of an event that is not durable yet: it comes as a push, and the fold takes it twice unharmed.
  const length = (events.at(-1)?.seq ?? view.seq) + 1;
  return {
    kind: 'open',
    sessionId,
    header,
    folded: foldedOf(view),
    length,
    events: joined([], events),
    first,
    end: length,
    gaps: gapsIn(events, first, length),
    ...(view.readOnly && { readOnly: view.readOnly }),
  };
}

/** Live events, which follow the last one heard of. */
export function live(opened: OpenSession, fresh: readonly SessionEvent[]): OpenSession {
  const length = (fresh.at(-1)?.seq ?? opened.length - 1) + 1;
  const told = { ...opened, folded: fresh.reduce(fold, opened.folded), length };
  if (opened.end < opened.length) return told;
  return withoutHead({ ...told, end: length, events: joined(opened.events, fresh) }, MOST);
}

/** A fresh snapshot. What was held before it stays, so that nothing moves under a person's eyes. */
export function refreshed(before: OpenSession, now: OpenSession): OpenSession {
  if (before.end < before.length) {
    const { events, first, end, gaps } = before;
    return { ...now, events, first, end, gaps };
  }
  if (now.first > before.end || before.first >= now.first) return now;
  const older = before.events.filter(({ seq }) => seq < now.first);
  const gaps = gapsOfBoth(
    before.gaps.filter(({ to }) => to < now.first),
    now.gaps,
  );
  return { ...now, first: before.first, events: joined(older, now.events), gaps };
}

export function pageBefore({ first }: OpenSession): Page {
  return { from: Math.max(0, first - PAGE), to: first };
}

export function pageAfter({ end, length }: OpenSession): Page {
  return { from: end, to: Math.min(length, end + PAGE) };
}

/** Not beyond the log as it is when it is asked for: what comes meanwhile would be missing at its end. */
export function pageAround({ length }: OpenSession, seq: number): Page {
  return { from: Math.max(0, seq - PAGE / 2), to: Math.min(length, seq + WINDOW) };
}

export function earlier(opened: OpenSession, { from, to }: Page, events: readonly SessionEvent[]): OpenSession {
  const gaps = gapsOfBoth(gapsIn(events, from, to), opened.gaps);
  return withoutTail({ ...opened, first: from, events: joined(joined([], events), opened.events), gaps }, MOST);
}

export function later(opened: OpenSession, { from, to }: Page, events: readonly SessionEvent[]): OpenSession {
  const gaps = gapsOfBoth(opened.gaps, gapsIn(events, from, to));
  return withoutHead({ ...opened, end: to, events: joined(opened.events, events), gaps }, MOST);
}

export function around(opened: OpenSession, { from, to }: Page, events: readonly SessionEvent[]): OpenSession {
  return { ...opened, first: from, end: to, events: joined([], events), gaps: gapsIn(events, from, to) };
}

export function shortest(opened: OpenSession): OpenSession {
  return withoutHead(opened, WINDOW);
}

function withoutHead(opened: OpenSession, most: number): OpenSession {
  if (opened.events.length <= most) return opened;
  const kept = opened.events.slice(-most);
  // Joined parts reach further back than their number says: the run cannot begin with them.
  const events = kept.slice(
    Math.max(
      0,
      kept.findIndex(({ type }) => type !== 'assistant/chunk'),
    ),
  );
  const first = events[0]?.seq ?? opened.first;
  return { ...opened, events, first, gaps: opened.gaps.filter(({ from }) => from >= first) };
}

function withoutTail(opened: OpenSession, most: number): OpenSession {
  if (opened.events.length <= most) return opened;
  const events = opened.events.slice(0, most);
  const end = (events.at(-1)?.seq ?? opened.first) + 1;
  return { ...opened, events, end, gaps: opened.gaps.filter(({ to }) => to < end) };
}
