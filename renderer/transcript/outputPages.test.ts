import { expect, it } from 'vitest';
import { MOST_PAGES, withOutput } from './outputPages.ts';

const page = (text: string, from: number, more: object = {}) => ({
  text,
  from,
  next: from + text.length,
  last: false,
  dropped: 0,
  ...more,
});
const [one, two] = [page('ab', 0), page('cd', 2)];

it('pages of output stand one behind the other, each once', () => {
  expect(withOutput(withOutput([], one), two)).toEqual([one, two]);
  expect(withOutput([one, two], two)).toEqual([one, two]);
  expect(withOutput([one, two], one)).toEqual([one]);
});

it('only the last pages of output are kept', () => {
  const many = Array.from({ length: MOST_PAGES + 2 }, (_, at) => page('ab', 2 * at));
  expect(many.reduce(withOutput, [])).toEqual(many.slice(-MOST_PAGES));
});

it('a page without anything new takes no place, and says whether more will come', () => {
  const rest = page('', 4, { last: true, dropped: 7 });
  expect(withOutput([one, two], rest)).toEqual([one, { ...two, last: true, dropped: 7 }]);
  expect(withOutput([], page('', 0))).toEqual([page('', 0)]);
});
