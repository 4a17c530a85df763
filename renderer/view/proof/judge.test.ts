import { expect, it } from 'vitest';
import { countOf, judge } from './judge.ts';

it('a try that came out otherwise than claimed differs, whichever way', () => {
  expect(judge({ expected: 'denied', observed: 'denied' })).toBe('same');
  expect(judge({ expected: 'denied', observed: 'written' })).toBe('differs');
  expect(judge({ expected: 'written', observed: 'denied' })).toBe('differs');
  expect(judge({ expected: 'hidden', observed: 'private' })).toBe('differs');
});

it('what was not tried, or gave no answer, is neither as claimed nor otherwise', () => {
  expect(
    countOf([
      { expected: 'written', observed: 'untried' },
      { expected: 'denied', observed: 'unclear' },
      { expected: 'denied', observed: 'written' },
      { expected: 'blocked', observed: 'blocked' },
    ]),
  ).toEqual({ same: 1, differs: 1, untried: 1, unclear: 1 });
});
