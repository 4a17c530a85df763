import { describe, expect, it } from 'vitest';
import type { Output } from '../../app/contract/requests.ts';
import type { SessionEvent } from '../../app/session/events.ts';
import { NOTHING_SAID, fold } from '../../app/session/view/fold.ts';
import { toView } from '../../app/session/view.ts';
import { chunk, id, log, said, turnStart } from '../transcript/log.fixture.ts';
import {
  around,
  earlier,
  later,
  live,
  MOST,
  pageAfter,
  pageAround,
  pageBefore,
  refreshed,
  shortest,
  toOpen,
} from './held.ts';
import type { OpenSession } from './openSession.ts';

const sessionId = id.session('s_1');
const header = { version: 1, id: sessionId, createdAt: 1, workspace: '/work' } as const;

function messages(from: number, to: number): readonly SessionEvent[] {
  return log(
    Array.from({ length: to - from }, () => said('x')),
    from,
  );
}

/** As `session.open` answers for a log of so many messages. */
function answer(length: number): Output<'session.open'> {
  const all = messages(0, length);
  const view = toView({ header, length, folded: all.reduce(fold, NOTHING_SAID) });
  return { header, view, events: all.slice(-300), more: length > 300 };
}

function opened(length: number): OpenSession {
  return toOpen(sessionId, answer(length));
}

function seqs({ events }: OpenSession): readonly (number | undefined)[] {
  return [events[0]?.seq, events.at(-1)?.seq, events.length];
}

describe('what is held of a log', () => {
  it('is its end, and all of it when it is short', () => {
    expect(opened(1_000)).toMatchObject({ first: 700, end: 1_000, length: 1_000, gaps: [] });
    expect(opened(20)).toMatchObject({ first: 0, end: 20 });
    expect(opened(0)).toMatchObject({ first: 0, end: 0, length: 0, events: [] });
  });

  it('grows with live events, up to a bound', () => {
    const grown = live(opened(1_000), messages(1_000, 4_000));
    expect(seqs(grown)).toEqual([4_000 - MOST, 3_999, MOST]);
    expect(grown).toMatchObject({ first: 4_000 - MOST, end: 4_000, length: 4_000 });
  });

  it('grows backwards a page at a time; beyond the bound the newest are let go', () => {
    let held = opened(5_000);
    for (let turned = 0; turned < 12; turned += 1) {
      const page = pageBefore(held);
      held = earlier(held, page, messages(page.from, page.to));
    }
    expect(held.first).toBe(5_000 - 300 - 12 * 200);
    expect(seqs(held)).toEqual([held.first, held.end - 1, MOST]);
    expect(held.end).toBeLessThan(held.length);
  });

  it('takes live events only into the fold while a person reads far back', () => {
    const page = pageAround(opened(5_000), 100);
    const far = around(opened(5_000), page, messages(page.from, page.to));
    const told = live(far, [...log([turnStart(7, 4_999)], 5_000)]);
    expect(told).toMatchObject({ first: 0, end: 400, length: 5_001, folded: { turn: 7 } });
    expect(told.events).toBe(far.events);
  });

  it('goes forward again to the end of the log', () => {
    const page = pageAround(opened(5_000), 4_300);
    let held = around(opened(5_000), page, messages(page.from, page.to));
    while (held.end < held.length) {
      const next = pageAfter(held);
      held = later(held, next, messages(next.from, next.to));
    }
    expect(seqs(held)).toEqual([4_200, 4_999, 800]);
  });

  it('has no gap where the log has grown while the run around an event was read', () => {
    const page = pageAround(opened(1_000), 900);
    const far = around(live(opened(1_000), messages(1_000, 1_001)), page, messages(page.from, page.to));
    expect(far).toMatchObject({ first: 800, end: 1_000, length: 1_001, gaps: [] });
  });

  it('is the least again when a person is back at the end', () => {
    const page = pageBefore(opened(1_000));
    const long = earlier(opened(1_000), page, messages(page.from, page.to));
    expect(seqs(shortest(long))).toEqual([700, 999, 300]);
    expect(shortest(long).first).toBe(700);
  });

  it('never begins with joined parts, whose number is that of the last of them', () => {
    const parts = log([chunk('a'), chunk('b'), chunk('c')], 700);
    const grown = live(opened(700), [...parts, ...messages(703, 1_002)]);
    // The last 300 would be the joined part 702 and 299 messages.
    expect(shortest(grown)).toMatchObject({ first: 703, end: 1_002 });
    expect(seqs(shortest(grown))).toEqual([703, 1_001, 299]);
  });

  it('keeps what a person reads when a fresh snapshot comes', () => {
    const page = pageBefore(opened(1_000));
    const before = earlier(opened(1_000), page, messages(page.from, page.to));
    const now = refreshed(before, opened(1_100));
    expect(seqs(now)).toEqual([500, 1_099, 600]);
    expect(now.first).toBe(500);
  });

  it('is the snapshot alone where something between is missing', () => {
    expect(seqs(refreshed(opened(1_000), opened(2_000)))).toEqual([1_700, 1_999, 300]);
  });

  it('knows what cannot be read, also across pages', () => {
    const damaged = (from: number, to: number) => messages(from, to).filter(({ seq }) => seq < 690 || seq > 705);
    const reply = answer(1_000);
    const held = toOpen(sessionId, { ...reply, events: damaged(700, 1_000) });
    // What is missing in front of the first event is seen with the page before.
    expect(held).toMatchObject({ first: 706, gaps: [] });
    const page = pageBefore(held);
    expect(earlier(held, page, damaged(page.from, page.to)).gaps).toEqual([{ from: 690, to: 705 }]);
  });
});
