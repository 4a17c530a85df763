import { describe, expect, it } from 'vitest';
import { checkSeed, endOfSeed, forkPrefix, SeedError } from './seed.ts';
import { committed } from './session.fixture.ts';
import { mode, said, turnEnd, turnStart } from './talk.fixture.ts';

const log = committed([said('a'), turnStart(1, 0), turnEnd(1), mode('read-only'), said('b'), turnStart(2, 4)]);

describe('seed', () => {
  it('SES-4: refuses a gap and names the index', () => {
    const refused = attempt(() => checkSeed(log.filter((event) => event.seq !== 2)));
    expect(refused).toBeInstanceOf(SeedError);
    expect(refused).toMatchObject({ index: 2, message: 'Seed event 2 has the seq 3' });
  });

  it.each([
    ['does not begin at 0', log.slice(1), 0],
    ['holds an unknown type that may not be skipped', [{ ...log[0], type: 'new/thing' }], 0],
    ['holds what is no event', [log[0], 'text'], 1],
    ['holds what is not lossless', [{ ...log[0], data: { text: undefined } }], 0],
  ])('refuses a seed that %s', (_name, seed, index) => {
    expect(attempt(() => checkSeed(seed))).toMatchObject({ name: 'SeedError', index });
  });

  it('copies what it takes, frozen', () => {
    const seed = checkSeed(log);
    expect(seed).toEqual(log);
    expect(Object.isFrozen(seed[0]?.data)).toBe(true);
  });

  it('closes a seed with one marker and never with two', () => {
    expect(endOfSeed(undefined)).toEqual([{ type: 'session/end-seed', data: {} }]);
    expect(endOfSeed(log[0])).toHaveLength(1);
    expect(endOfSeed({ type: 'session/end-seed', data: {} })).toEqual([]);
  });

  it('cuts a fork at any event outside of a turn, a later standalone one included', () => {
    expect(forkPrefix(log, 3)).toEqual({ kind: 'prefix', events: log.slice(0, 4) });
    expect(forkPrefix(log, 2)).toMatchObject({ kind: 'prefix' });
  });

  it('refuses an open turn and a boundary that does not exist with codes of their own', () => {
    expect(forkPrefix(log, 5)).toMatchObject({ kind: 'refused', code: 'open-turn' });
    expect(forkPrefix(log, 1)).toMatchObject({ kind: 'refused', code: 'open-turn' });
    expect(forkPrefix(log, 6)).toMatchObject({ kind: 'refused', code: 'no-boundary' });
    expect(forkPrefix(log, -1)).toMatchObject({ kind: 'refused', code: 'no-boundary' });
  });
});

function attempt(work: () => unknown): unknown {
  try {
    return work();
  } catch (fault) {
    return fault;
  }
}
