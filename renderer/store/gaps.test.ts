import { describe, expect, it } from 'vitest';
import { log, said } from '../transcript/log.fixture.ts';
import { gapsIn, gapsOfBoth } from './gaps.ts';

const events = log(Array.from({ length: 10 }, () => said('x')));
const without = (...seqs: number[]) => events.filter(({ seq }) => !seqs.includes(seq));

describe('gaps', () => {
  it('are none among events that follow each other', () => {
    expect(gapsIn(events, 0, 10)).toEqual([]);
  });

  it('are what is missing, at the beginning, between and at the end', () => {
    expect(gapsIn(without(0, 1, 4, 9), 0, 10)).toEqual([
      { from: 0, to: 1 },
      { from: 4, to: 4 },
      { from: 9, to: 9 },
    ]);
    expect(gapsIn([], 3, 5)).toEqual([{ from: 3, to: 4 }]);
  });

  it('that go on across the border of two runs are one', () => {
    expect(gapsOfBoth([{ from: 0, to: 4 }], [{ from: 5, to: 6 }])).toEqual([{ from: 0, to: 6 }]);
    expect(gapsOfBoth([{ from: 0, to: 3 }], [{ from: 5, to: 6 }])).toHaveLength(2);
    expect(gapsOfBoth([], [{ from: 5, to: 6 }])).toEqual([{ from: 5, to: 6 }]);
  });
});
