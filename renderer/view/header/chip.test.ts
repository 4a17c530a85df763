import { expect, it } from 'vitest';
import { chipOf } from './chip.ts';

it('a failed cleanup outranks those under way, and those the news that all is clean', () => {
  expect(chipOf({ failed: 1, active: 2, clean: true })).toBe('failed');
  expect(chipOf({ failed: 0, active: 2, clean: true })).toBe('active');
  expect(chipOf({ failed: 0, active: 0, clean: true })).toBe('clean');
});

it('a failed cleanup is still said when nothing else is going on, and nothing is said when nothing is', () => {
  expect(chipOf({ failed: 1, active: 0, clean: false })).toBe('failed');
  expect(chipOf({ failed: 0, active: 0, clean: false })).toBeUndefined();
});
