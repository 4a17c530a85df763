import fc from 'fast-check';
import { readFile, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { SessionId } from '../../app/base/id.ts';
import type { TextPage } from '../../app/session/keptTexts.ts';
import { keepBlob } from './blobs.ts';
import { realDisk } from './disk.ts';
import { makeHome, never, type Home } from './home.fixture.ts';
import { FileTexts } from './keptTexts.ts';

const A = 's_a' as SessionId;
const MIB = 1024 * 1024;
let home: Home;
let texts: FileTexts;

beforeEach(async () => {
  home = await makeHome();
  texts = new FileTexts(home.sessions);
});

afterEach(() => home.remove());

describe('a page of a kept text', () => {
  it('is followed by the next one, without a gap and without half a character, until the text is over', async () => {
    const character = fc.constantFrom('a', '\n', 'ü', '漢', '😀', '\u0000');
    await fc.assert(
      fc.asyncProperty(fc.array(character, { maxLength: 40 }), fc.integer({ min: 1, max: 9 }), async (parts, bytes) => {
        const text = parts.join('');
        const blob = await keep(text);
        const pages = await pagesOf(blob, bytes);
        expect(pages.map((page) => page.text).join('')).toBe(text);
        expect(pages.slice(1).map(({ from }) => from)).toEqual(pages.slice(0, -1).map(({ next }) => next));
        expect(new Set(pages.map((page) => page.bytes))).toEqual(new Set([Buffer.byteLength(text)]));
        // Only a single character may be longer than what was asked for.
        const long = pages.filter((page) => Buffer.byteLength(page.text) > bytes);
        expect(long.every((page) => Array.from(page.text).length === 1)).toBe(true);
      }),
      { numRuns: 200 },
    );
  });

  it('begins with the character that the byte asked for is in', async () => {
    const blob = await keep('a😀漢b');
    const froms = [0, 1, 2, 3, 4, 5, 6, 7, 8];
    const pages = await Promise.all(froms.map((from) => page(blob, from, 100)));
    expect(pages.map(({ from }) => from)).toEqual([0, 1, 1, 1, 1, 5, 5, 5, 8]);
    expect(pages.map(({ text }) => text.at(0))).toEqual('a,\ud83d,\ud83d,\ud83d,\ud83d,漢,漢,漢,b'.split(','));
  });

  it('is empty at the end and behind it', async () => {
    const blob = await keep('ü');
    expect(await page(blob, 2, 10)).toEqual({ text: '', from: 2, bytes: 2 });
    expect(await page(blob, 500, 10)).toEqual({ text: '', from: 2, bytes: 2 });
  });

  it('reads no more of a long text than it shows', async () => {
    const blob = await keep('0123456789abcde\n'.repeat((10 * MIB) / 16));
    await page(blob, 0, 256 * 1024);
    const before = await bytesRead();
    const middle = await page(blob, 5 * MIB, 256 * 1024);
    expect(middle).toMatchObject({ from: 5 * MIB, next: 5 * MIB + 256 * 1024, bytes: 10 * MIB });
    expect((await bytesRead()) - before).toBeLessThan(MIB);
  });
});

describe('a text is not there', () => {
  it('when nobody kept it, or another Session did', async () => {
    const blob = await keep('text', 's_other');
    await keep('another');
    expect(await texts.page(A, blob, { from: 0, bytes: 9 }, never)).toBeUndefined();
    expect(await texts.page('s_none' as SessionId, blob, { from: 0, bytes: 9 }, never)).toBeUndefined();
  });

  it('when it is a link that somebody laid there', async () => {
    await keep('text');
    const blob = 'a'.repeat(64);
    await symlink('/etc/passwd', join(home.paths(A).blobs, blob));
    await expect(page(blob, 0, 10)).rejects.toMatchObject({ code: 'storage' });
  });
});

function keep(text: string, id: string = A): Promise<string> {
  return keepBlob(home.paths(id).blobs, text, realDisk);
}

async function page(blob: string, from: number, bytes: number): Promise<TextPage> {
  const found = await texts.page(A, blob, { from, bytes }, never);
  if (!found) throw new Error(`No text ${blob}`);
  return found;
}

async function pagesOf(blob: string, bytes: number): Promise<readonly TextPage[]> {
  const pages = [await page(blob, 0, bytes)];
  for (let next = pages[0]?.next; next !== undefined; next = pages.at(-1)?.next) {
    pages.push(await page(blob, next, bytes));
  }
  return pages;
}

/** What this process has read so far, from files and from whatever else. */
async function bytesRead(): Promise<number> {
  return Number(/^rchar: (\d+)/.exec(await readFile('/proc/self/io', 'utf8'))?.[1]);
}
