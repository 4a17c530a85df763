import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { utf8Bytes, type Text } from '../base/text.ts';
import { fits, storable, toText } from './storable.ts';
import { MAX_EVENT_BYTES } from './store.ts';

function keeper() {
  const kept = new Map<string, string>();
  const keep = async (text: string) => {
    const name = `blob${kept.size}`;
    kept.set(name, text);
    return name;
  };
  return { kept, keep };
}

describe('storable', () => {
  it('leaves what is short as it is', async () => {
    const { kept, keep } = keeper();
    const value = { text: 'x'.repeat(64 * 1024), list: [1, null, true] };
    expect(await storable(value, keep)).toEqual(value);
    expect(kept.size).toBe(0);
  });

  it('keeps the whole of a long string beside the log and its tail in it, cutting no character', async () => {
    const { kept, keep } = keeper();
    const long = '😀'.repeat(40_000);
    const { deep } = (await storable({ deep: [{ long }] }, keep)) as unknown as { deep: readonly [{ long: Text }] };
    expect(deep[0].long).toEqual({ text: '😀'.repeat(16_384), bytes: 160_000, dropped: 0, blob: 'blob0' });
    expect(kept.get('blob0')).toBe(long);
  });

  it('shortens the largest of many strings until the event fits, and every one of those is kept whole', async () => {
    const { kept, keep } = keeper();
    const sizes = [60_000, 50_000, 40_000, 61_000, 62_000, 63_000];
    const value = await storable(
      sizes.map((size) => 'x'.repeat(size)),
      keep,
    );
    expect(JSON.stringify(value).length).toBeLessThan(MAX_EVENT_BYTES);
    expect([...kept.values()].map((text) => text.length)).toEqual([63_000, 62_000]);
  });

  it('makes a Text shorter and never puts a Text into it; what no blob holds counts as dropped', async () => {
    const { keep } = keeper();
    const text = (n: number): Text => ({
      text: 'y'.repeat(65_000),
      bytes: 100_000,
      dropped: 35_000,
      ...(n > 2 && { blob: `b${n}` }),
    });
    const value = (await storable([1, 2, 3, 4].map(text), keep)) as unknown as readonly Text[];
    expect(value.map(({ bytes, dropped, blob }) => [bytes, dropped, blob])).toEqual([
      [100_000, 95_904, undefined],
      [100_000, 95_904, undefined],
      [100_000, 35_000, 'b3'],
      [100_000, 35_000, 'b4'],
    ]);
    expect(value.every((one) => typeof one.text === 'string' && utf8Bytes(one.text) <= 4096)).toBe(true);
  });

  it('fits even where every character becomes six bytes', async () => {
    const { keep } = keeper();
    const value = await storable({ a: '\u0001'.repeat(60_000), b: 'plain' }, keep);
    expect(JSON.stringify(value).length).toBeLessThan(MAX_EVENT_BYTES);
  });

  it('refuses what is too large without any long string', async () => {
    const { keep } = keeper();
    await expect(
      storable(
        Array.from({ length: 60_000 }, (_, n) => `item ${n}`),
        keep,
      ),
    ).rejects.toMatchObject({ code: 'too-large' });
  });

  it('says of no value that it fits when it does not', () => {
    fc.assert(
      fc.property(
        fc.constantFrom('x', '\u0001', '漢', '😀', '"'),
        fc.integer({ min: 1, max: 300_000 }),
        (unit, length) => {
          const data = { text: unit.repeat(length) };
          const size = utf8Bytes(JSON.stringify(data));
          expect(fits(data)).toBe(size <= MAX_EVENT_BYTES - 256);
        },
      ),
      { numRuns: 60 },
    );
  });

  it('makes a well-formed Text of any string', async () => {
    const { keep } = keeper();
    expect(await toText('a\ud83d', keep)).toEqual({ text: 'a\ufffd', bytes: 4, dropped: 0 });
  });
});
