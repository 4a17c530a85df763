import { describe, expect, it } from 'vitest';
import { shared } from './shared.ts';

describe('shared', () => {
  it('is what was there before when nothing differs, however deep', () => {
    const before = { a: [1, { b: 'c' }], d: null };
    expect(shared(before, { a: [1, { b: 'c' }], d: null })).toBe(before);
  });

  it('keeps the parts that are the same', () => {
    const before = { same: { x: 1 }, list: [{ y: 1 }, { y: 2 }] };
    const now = shared(before, { same: { x: 1 }, list: [{ y: 1 }, { y: 3 }] });
    expect(now).toEqual({ same: { x: 1 }, list: [{ y: 1 }, { y: 3 }] });
    expect(now.same).toBe(before.same);
    expect(now.list[0]).toBe(before.list[0]);
  });

  it.each([
    [{ a: 1 }, { a: 1, b: undefined }],
    [{ a: 1, b: undefined }, { a: 1 }],
    [[1], { 0: 1 }],
    [{ 0: 1 }, [1]],
    [[1, 2], [1]],
    [null, {}],
    [undefined, 'x'],
  ])('of %j is %j', (before, now) => {
    expect(shared<unknown>(before, now)).toStrictEqual(now);
  });
});
