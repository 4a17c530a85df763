import { describe, expect, it } from 'vitest';
import { en } from '../text/en.ts';
import { isInside, says, type Wording } from './find.ts';
import { answer, call, log, nestedResult, nestedStart, result, said, standingOf, turnStart } from './log.fixture.ts';
import { rowsOf } from './rows.ts';

const wording: Wording = { dictionary: en, names: { preset: (name) => name, session: () => undefined } };
const events = log([
  said('Move the Rules'),
  turnStart(1, 0),
  answer('I move **them**.'),
  call('p', 'run_code', { code: 'const inner = 1', title: 'Count' }),
  nestedStart('p:1', 'p', 'bash', { command: 'wc -l' }),
  nestedResult('p:1', 'p', 'bash', { content: 'forty lines' }),
  result('p', 'run_code', { content: 'x', value: { deep: ['Found it'] } }),
  { type: 'sandbox/mode', data: { mode: 'read-only' } },
]);
const rows = rowsOf(events, standingOf(events));

function found(query: string): readonly string[] {
  return rows.filter((row) => says(row, query, wording)).map(({ key }) => key);
}

describe('find in transcript', () => {
  it('finds what was said, in any case', () => {
    expect(found('rules')).toEqual(['e0']);
    expect(found('them')).toEqual(['a1.1']);
  });

  it('finds what a card shows when it is opened, also of its calls', () => {
    for (const query of ['count', 'inner', 'wc -l', 'forty', 'found it']) expect(found(query)).toEqual(['c:p']);
  });

  it('finds the sentence of a thin row as it is read', () => {
    expect(found('mode read only')).toEqual(['e7']);
  });

  it('finds nothing that is nowhere', () => {
    expect(found('nowhere')).toEqual([]);
  });

  it('knows whether a card must be opened for it', () => {
    const card = rows.find(({ kind }) => kind === 'card');
    expect(card && [isInside(card, 'count', wording), isInside(card, 'forty', wording)]).toEqual([false, true]);
  });
});
