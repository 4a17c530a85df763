import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Draft } from './event.ts';
import { AppendError, Log } from './log.ts';

const note = (text: unknown): Draft => ({ type: 'test/note', data: { text } });

function started(): { log: Log<Draft>; faults: unknown[]; seen: string[] } {
  const faults: unknown[] = [];
  const seen: string[] = [];
  const log = new Log<Draft>({ now: () => 7, onFault: (fault) => void faults.push(fault) });
  log.observe((event) => void seen.push(`${event.seq} ${String((event.data as { text: unknown }).text)}`));
  return { log, faults, seen };
}

describe('log', () => {
  it('numbers events from 0 without a gap and gives them back frozen', () => {
    const { log } = started();
    const events = ['a', 'b', 'c'].map((text) => log.append(note({ text })));
    expect(events.map((event) => event.seq)).toEqual([0, 1, 2]);
    expect(events[0]).toEqual({ type: 'test/note', seq: 0, time: 7, data: { text: { text: 'a' } } });
    expect([events[0], events[0]?.data].every(Object.isFrozen)).toBe(true);
    expect(log.length).toBe(3);
  });

  it.each([
    ['undefined', undefined],
    ['-0', -0],
    ['NaN', Number.NaN],
    ['a Map', new Map()],
    ['a sparse array', Object.assign([], { length: 3 })],
  ])('SES-2: refuses %s and its length stays', (_name, value) => {
    const { log, seen } = started();
    log.append(note('first'));
    expect(() => log.append(note(value))).toThrow('data.text');
    expect(log.length).toBe(1);
    expect(log.append(note('next')).seq).toBe(1);
    expect(seen).toEqual(['0 first', '1 next']);
  });

  it('SES-2: refuses a cycle and its length stays', () => {
    const { log } = started();
    const cycle: { self?: object } = {};
    cycle.self = cycle;
    expect(() => log.append(note(cycle))).toThrow('a cycle');
    expect(log.length).toBe(0);
  });

  it('SES-8: refuses an append from inside a notification, and later listeners see the original order', () => {
    const { log, faults } = started();
    const later: number[] = [];
    log.observe((event) => void log.append(note(`echo of ${event.seq}`)));
    log.observe((event) => void later.push(event.seq));
    log.append(note('a'));
    log.append(note('b'));
    expect(faults).toHaveLength(2);
    expect(faults[0]).toBeInstanceOf(AppendError);
    expect(later).toEqual([0, 1]);
    expect(log.length).toBe(2);
  });

  it('keeps the commit and tells everybody else when an observer throws', () => {
    const { log, faults } = started();
    const told: number[] = [];
    log.observe(() => {
      throw new Error('broken observer');
    });
    log.observe((event) => void told.push(event.seq));
    expect(log.append(note('a')).seq).toBe(0);
    expect(faults).toEqual([new Error('broken observer')]);
    expect(told).toEqual([0]);
  });

  it('lets a guard veto before anything changed', () => {
    const { log, seen } = started();
    const lift = log.guard((draft) => (draft.type === 'test/note' ? 'not now' : undefined));
    expect(() => log.append(note('a'))).toThrow('test/note refused: not now');
    lift();
    log.append(note('b'));
    expect(seen).toEqual(['0 b']);
  });

  it('runs follow-ups in order when the section has ended, so that what belongs together stays adjacent', () => {
    const { log, seen } = started();
    log.observe((event) => {
      if (event.seq > 1) return;
      log.followUp(() => void log.append(note(`after ${event.seq}`)));
    });
    log.section(() => {
      log.append(note('preset'));
      log.section(() => log.append(note('mode')));
      log.append(note('policy'));
    });
    expect(seen).toEqual(['0 preset', '1 mode', '2 policy', '3 after 0', '4 after 1']);
  });

  it('goes on with the other follow-ups when one throws, and runs one at once outside of a section', () => {
    const { log, faults, seen } = started();
    log.section(() => {
      log.followUp(() => {
        throw new Error('broken follow-up');
      });
      log.followUp(() => void log.append(note('second')));
    });
    log.followUp(() => void log.append(note('third')));
    expect(faults).toEqual([new Error('broken follow-up')]);
    expect(seen).toEqual(['0 second', '1 third']);
  });

  it('tells nobody who has left', () => {
    const { log } = started();
    const told: number[] = [];
    const leave = log.observe((event) => void told.push(event.seq));
    log.append(note('a'));
    leave();
    log.append(note('b'));
    expect(told).toEqual([0]);
  });

  it('tells every observer the same events in the same order, whatever happens in between', () => {
    const action = fc.constantFrom('append', 'bad', 'nested', 'follow', 'throw', 'section');
    fc.assert(
      fc.property(fc.array(action), (actions) => {
        const { log, seen } = started();
        const last: string[] = [];
        let current = '';
        log.observe(() => {
          if (current === 'nested') log.append(note('nested'));
          if (current === 'throw') throw new Error('thrown');
          if (current === 'follow') log.followUp(() => ((current = ''), void log.append(note('follow'))));
        });
        log.observe((event) => void last.push(`${event.seq} ${String((event.data as { text: unknown }).text)}`));
        const act: Readonly<Record<string, () => unknown>> = {
          bad: () => attempt(() => log.append(note(undefined))),
          section: () => log.section(() => [log.append(note(1)), log.append(note(2))]),
        };
        for (current of actions) (act[current] ?? (() => log.append(note(0))))();
        expect(last).toEqual(seen);
        expect(seen.map((line) => Number.parseInt(line, 10))).toEqual(
          Array.from({ length: log.length }, (_, seq) => seq),
        );
      }),
    );
  });
});

function attempt(work: () => unknown): unknown {
  try {
    return work();
  } catch (fault) {
    return fault;
  }
}
