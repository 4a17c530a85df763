import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { frozen, lossless, LosslessError } from './json.ts';

const cycle: { self?: unknown } = {};
cycle.self = { inner: cycle };
const sparse = Object.assign([1], { length: 3 });

describe('lossless', () => {
  it.each([
    ['undefined', { a: undefined }, 'data.a'],
    ['negative zero', { a: [1, -0] }, 'data.a[1]'],
    ['NaN', { a: { b: Number.NaN } }, 'data.a.b'],
    ['infinity', [Infinity], 'data[0]'],
    ['a cycle', cycle, 'data.self.inner'],
    ['a sparse array', { a: sparse }, 'data.a'],
    ['an array with a property', Object.assign([1], { extra: 1 }), 'data'],
    ['a Map', { a: new Map() }, 'data.a'],
    ['a class instance', [new (class Point {})()], 'data[0]'],
    ['a date', { at: new Date(0) }, 'data.at'],
    ['a bigint', [1n], 'data[0]'],
    ['a function', { f: () => 1 }, 'data.f'],
    ['a symbol', { s: Symbol('s') }, 'data.s'],
    ['a symbol key', { [Symbol('s')]: 1 }, 'data'],
    ['a getter', Object.defineProperty({}, 'g', { get: () => 1, enumerable: true }), 'data.g'],
    ['a hidden property', Object.defineProperty({}, 'h', { value: 1 }), 'data.h'],
    ['a lone surrogate', { text: 'a\ud83d' }, 'data.text'],
    ['a key with a lone surrogate', { 'a\ud83d': 1 }, 'data'],
  ])('SES-2: refuses %s and names the place', (_name, value, path) => {
    const refused = attempt(() => lossless(value));
    expect(refused).toBeInstanceOf(LosslessError);
    expect(refused).toMatchObject({ path });
  });

  it('copies what JSON can say, deeply frozen, sharing nothing with the original', () => {
    fc.assert(
      fc.property(fc.jsonValue({ noUnicodeString: false }), (value) => {
        fc.pre(JSON.stringify(value) === JSON.stringify(JSON.parse(JSON.stringify(value))));
        const clean: unknown = JSON.parse(JSON.stringify(value).replaceAll('-0', '0'));
        fc.pre(isWellFormed(clean));
        const copied = lossless(clean);
        expect(copied).toEqual(clean);
        expect(isFrozenThrough(copied)).toBe(true);
      }),
    );
  });

  it('keeps a key called __proto__ as a key', () => {
    const parsed: unknown = JSON.parse('{"__proto__":{"admin":true},"a":1}');
    const copied = lossless(parsed);
    expect(JSON.stringify(copied)).toBe('{"__proto__":{"admin":true},"a":1}');
    expect((copied as { admin?: unknown }).admin).toBeUndefined();
  });

  it('allows the same object twice, as long as it does not hold itself', () => {
    const shared = { a: 1 };
    expect(lossless([shared, { shared }])).toEqual([{ a: 1 }, { shared: { a: 1 } }]);
  });

  it('refuses what is nested so deep that reading it back could fail', () => {
    let deep: unknown = 1;
    for (let depth = 0; depth < 300; depth += 1) deep = [deep];
    expect(attempt(() => lossless(deep))).toBeInstanceOf(LosslessError);
  });

  it('freezes a parsed value all the way down', () => {
    expect(isFrozenThrough(frozen(JSON.parse('{"a":[{"b":{}}]}')))).toBe(true);
  });
});

function attempt(work: () => unknown): unknown {
  try {
    return work();
  } catch (fault) {
    return fault;
  }
}

function isFrozenThrough(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return true;
  return Object.isFrozen(value) && Object.values(value).every(isFrozenThrough);
}

function isWellFormed(value: unknown): boolean {
  return JSON.stringify(value).isWellFormed() && !/\\ud[89a-f]/i.test(JSON.stringify(value));
}
