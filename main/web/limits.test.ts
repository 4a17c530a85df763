import { expect, it } from 'vitest';
import { Pace } from './limits.ts';

function paceOf(burst: number, perSecond: number) {
  const clock = { now: 0 };
  const pace = new Pace({ burst, perSecond }, () => clock.now);
  const take = (count: number) => Array.from({ length: count }, () => pace.take());
  return { clock, take };
}

it('takes a burst, then refuses, then drops the client', () => {
  const { take } = paceOf(3, 1);
  expect(take(7)).toEqual(['within', 'within', 'within', 'over', 'over', 'over', 'flood']);
});

it('takes again what the time has brought, and never more than a burst', () => {
  const { clock, take } = paceOf(3, 2);
  take(3);
  clock.now = 1_000;
  expect(take(3)).toEqual(['within', 'within', 'over']);
  clock.now = 60_000;
  expect(take(4)).toEqual(['within', 'within', 'within', 'over']);
});
