import { describe, expect, it } from 'vitest';
import { call, log, result, said, standingOf, stepStart, turnStart } from './log.fixture.ts';
import { rowOfEvent, rowsSince } from './rowsSince.ts';
import { rowsOf } from './rows.ts';

const events = log([
  said('One'),
  turnStart(1, 0),
  stepStart(1, 1, 1),
  call('c', 'bash', { command: 'ls' }),
  said('Two', true),
  result('c', 'bash'),
]);
const rows = rowsOf(events, standingOf(events));

describe('rows since', () => {
  it('counts rows that begin with that event or a later one', () => {
    expect([0, 3, 4, 5, 9].map((seq) => rowsSince(rows, seq))).toEqual([4, 2, 1, 0, 0]);
  });
});

describe('the row of an event', () => {
  it('is the one that tells of it, wherever it begins', () => {
    expect(rowOfEvent(rows, 5)?.key).toBe('c:c');
    expect(rowOfEvent(rows, 4)?.kind).toBe('said');
  });

  it('is the one before it where nothing tells of it', () => {
    expect(rowOfEvent(rows, 2)?.kind).toBe('said');
  });
});
