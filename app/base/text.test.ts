import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { TEXT_LIMIT, tailOf, utf8Bytes, whole } from './text.ts';

const bytesOf = (text: string): number => new TextEncoder().encode(text).length;

describe('text', () => {
  it('counts the bytes of UTF-8 for any string, lone surrogates as their replacement', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'grapheme' }), (a, b) => {
        expect(utf8Bytes(a + b)).toBe(bytesOf(a + b));
      }),
    );
    expect(utf8Bytes('\ud83d')).toBe(3);
  });

  it('keeps the longest tail that fits and never cuts a character in two', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom('a', 'é', '漢', '😀')), fc.nat(20), (characters, limit) => {
        const tail = tailOf(characters.join(''), limit);
        const kept = Array.from(tail).length;
        expect(tail).toBe(characters.slice(characters.length - kept).join(''));
        expect(bytesOf(tail)).toBeLessThanOrEqual(limit);
        const before = characters.at(-kept - 1) ?? 'x'.repeat(limit + 1);
        expect(bytesOf(before + tail)).toBeGreaterThan(limit);
      }),
    );
  });

  it('replaces a lone surrogate, so that the tail can be stored', () => {
    expect(tailOf('a\ude00b')).toBe('a\ufffdb');
    expect(tailOf('\ud83d')).toBe('\ufffd');
  });

  it('reads no more of a long text than the tail it keeps', () => {
    const long = 'é'.repeat(1_000_000);
    let read = 0;
    // As much of a string as is asked of it, counting what is looked at.
    const counted = {
      length: long.length,
      charCodeAt: (at: number) => {
        read += 1;
        return long.charCodeAt(at);
      },
      slice: (from: number) => long.slice(from),
    } as unknown as string;
    expect(tailOf(counted)).toHaveLength(TEXT_LIMIT / 2);
    expect(read).toBeGreaterThan(0);
    expect(read).toBeLessThan(3 * TEXT_LIMIT);
  });

  it('says of a short text that nothing of it was dropped', () => {
    expect(whole('né')).toEqual({ text: 'né', bytes: 3, dropped: 0 });
  });
});
