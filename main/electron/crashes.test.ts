import { expect, it } from 'vitest';
import { Crashes } from './crashes.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;

const kindsAt = (...times: readonly number[]) => {
  const crashes = new Crashes();
  return times.map((time) => crashes.next(time).kind);
};

it('9-a: a page that ends every five minutes is loaded again each time', () => {
  expect(kindsAt(0, 5 * MINUTE, 10 * MINUTE, 15 * MINUTE)).toEqual(Array(4).fill('reload'));
});

it('9-a: the third end within 30 seconds shows the error page', () => {
  expect(kindsAt(0, 10 * SECOND, 29 * SECOND)).toEqual(['reload', 'reload', 'show-error']);
});

it('what was more than 30 seconds ago no longer counts', () => {
  expect(kindsAt(0, 29 * SECOND, 31 * SECOND, 58 * SECOND)).toEqual(['reload', 'reload', 'reload', 'show-error']);
});

it('what cannot live at all is started again within ten seconds, and not faster than every five', () => {
  const crashes = new Crashes();
  const waits = Array.from({ length: 6 }, (_, n) => crashes.next(n * 5 * SECOND).afterMs);
  expect(waits).toEqual([0, 0, 0, 5 * SECOND, 5 * SECOND, 5 * SECOND]);
});
