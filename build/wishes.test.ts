import { expect, it } from 'vitest';
import { Wishes } from './wishes.ts';

it('takes a signal that comes twice at once for one wish, and a later one for another', () => {
  const wishes = new Wishes();
  expect([0, 3, 400, 1_000, 1_001].map((now) => wishes.isNew('SIGINT', now))).toEqual([
    true,
    false,
    false,
    true,
    false,
  ]);
});

it('takes different signals for different wishes', () => {
  const wishes = new Wishes();
  expect([wishes.isNew('SIGINT', 0), wishes.isNew('SIGTERM', 1), wishes.isNew('SIGINT', 2)]).toEqual([
    true,
    true,
    false,
  ]);
});
