import { describe, expect, it } from 'vitest';
import { beside, place, toPlacement, type Placement, type Rectangle } from './bounds.ts';

const screen: Rectangle = { x: 0, y: 0, width: 1920, height: 1080 };
const right: Rectangle = { x: 1920, y: 0, width: 1280, height: 1024 };
const at = (x: number, y: number, width = 1000, height = 700): Placement => ({
  bounds: { x, y, width, height },
  maximized: false,
});

describe('a window is placed', () => {
  it('in the middle of the screen the first time, at least 900 by 600', () => {
    const { bounds } = place(undefined, [screen], screen);
    expect(bounds).toEqual({ x: 320, y: 130, width: 1280, height: 820 });
  });

  it('no larger than a small screen, and no smaller than can be used', () => {
    const small = { x: 0, y: 0, width: 1024, height: 600 };
    expect(place(undefined, [small], small).bounds).toEqual(small);
    const tiny = { x: 0, y: 0, width: 320, height: 200 };
    expect(place(undefined, [tiny], tiny).bounds).toMatchObject({ width: 640, height: 480 });
  });

  it('where it stood before, on whichever screen, and maximized as it was', () => {
    const last = { ...at(2000, 50), maximized: true };
    expect(place(last, [screen, right], screen)).toEqual(last);
  });

  it('on a screen that is there, when the one it stood on is gone', () => {
    expect(place(at(2000, 50), [screen], screen).bounds).toEqual({ x: 460, y: 190, width: 1000, height: 700 });
  });

  it('whole, when a part of it would be outside', () => {
    expect(place(at(1500, 800), [screen], screen).bounds).toEqual({ x: 920, y: 380, width: 1000, height: 700 });
    expect(place(at(-50, 10), [screen], screen).bounds).toMatchObject({ x: 0, y: 10 });
  });

  it('beside the one it is opened from', () => {
    expect(beside({ ...at(10, 20), maximized: true })).toEqual(at(38, 48));
  });
});

it.each([
  undefined,
  null,
  [],
  'x',
  {},
  { bounds: {}, maximized: false },
  { bounds: { x: 0, y: 0, width: '900', height: 600 }, maximized: false },
  { bounds: { x: 0, y: 0, width: 900, height: 1e30 }, maximized: false },
  { bounds: { x: 0, y: 0, width: 900, height: 600 } },
])('%j is no place of a window', (value) => {
  expect(toPlacement(value)).toBeUndefined();
});

it('what was written is read back', () => {
  expect(toPlacement(JSON.parse(JSON.stringify(at(1, 2))))).toEqual(at(1, 2));
});
