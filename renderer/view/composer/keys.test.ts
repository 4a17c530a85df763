import { expect, it } from 'vitest';
import { sends } from './keys.ts';

const ENTER = { key: 'Enter', keyCode: 13, isComposing: false, shiftKey: false, altKey: false };

it('Enter sends', () => {
  expect(sends(ENTER)).toBe(true);
});

it.each([
  ['with Shift', { shiftKey: true }],
  ['with Alt', { altKey: true }],
  ['while an input method composes', { isComposing: true }],
  ['that an input method has taken, as older browsers tell it', { keyCode: 229 }],
  ['that is another key', { key: 'a' }],
])('Enter %s sends nothing', (_name, change) => {
  expect(sends({ ...ENTER, ...change })).toBe(false);
});
