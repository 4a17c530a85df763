import { describe, expect, it } from 'vitest';
import { TEXT_LIMIT, tailOf, utf8Bytes, type Text } from '../../app/base/text.ts';
import {
  endOf,
  hasEarlier,
  hasLater,
  keptSource,
  localSource,
  MOST_SHOWN,
  nextPage,
  PAGE,
  startOf,
  withPage,
  type Pages,
  type Side,
  type TextSource,
} from './pages.ts';

const FIRST = 8 * 1024;

async function more(pages: Pages, source: TextSource, side: Side): Promise<Pages> {
  const { from, to } = nextPage(pages, side);
  return withPage(pages, await source.read(from, to, side), side);
}

function begin(source: TextSource, side: Side): Pages {
  const piece = source.first(side, FIRST);
  return { pieces: piece ? [piece] : [], total: source.total };
}

function shown({ pieces }: Pages): string {
  return pieces.map(({ text }) => text).join('');
}

/** As `text.read` answers: pages begin and end at whole characters. */
function keptBeside(whole: string): Parameters<typeof keptSource>[1] {
  const bytes = new TextEncoder().encode(whole);
  const isInside = (at: number): boolean => ((bytes[at] ?? 0) & 0xc0) === 0x80;
  return async (from, count) => {
    let [start, end] = [from, Math.min(bytes.length, from + count)];
    while (isInside(start)) start -= 1;
    while (isInside(end)) end -= 1;
    return { text: new TextDecoder().decode(bytes.slice(start, end)), from: start, to: end };
  };
}

const lines = Array.from({ length: 60_000 }, (_, index) => `line ${index} ä 😀`).join('\n');

describe('a long text that is here', () => {
  const source = localSource(lines);

  it('begins at the end that matters, and at the start of a line', () => {
    const tail = begin(source, 'tail');
    expect(shown(tail)).toMatch(/^line \d+/);
    expect(lines.endsWith(shown(tail))).toBe(true);
    expect(shown(tail).length).toBeLessThan(2 * FIRST);
    expect(lines.startsWith(shown(begin(source, 'head')))).toBe(true);
  });

  it('grows a page at a time without a gap, and never beyond the bound', async () => {
    let pages = begin(source, 'tail');
    for (let turned = 0; turned < 6; turned += 1) {
      pages = await more(pages, source, 'head');
      expect(shown(pages)).toBe(lines.slice(startOf(pages), endOf(pages)));
      expect(shown(pages).length).toBeLessThanOrEqual(MOST_SHOWN + 2 * 1024);
    }
    expect(hasLater(pages)).toBe(true);
    const back = await more(pages, source, 'tail');
    expect(startOf(back)).toBeGreaterThan(startOf(pages));
    expect(shown(back)).toBe(lines.slice(startOf(back), endOf(back)));
  });

  it('ends where the text ends', async () => {
    const short = localSource('x'.repeat(FIRST + 10));
    const pages = await more(begin(short, 'tail'), short, 'head');
    expect([hasEarlier(pages), hasLater(pages)]).toEqual([false, false]);
    expect(localSource('').first('tail', FIRST)).toEqual({ text: '', from: 0, to: 0 });
  });

  it('is never cut within a character', async () => {
    const pictures = localSource('😀'.repeat(40_000));
    const pages = await more(begin(pictures, 'head'), pictures, 'tail');
    expect(shown(pages)).toMatch(/^(?:😀)+$/u);
  });
});

describe('a long text that is kept beside the log', () => {
  const text: Text = { text: tailOf(lines), bytes: utf8Bytes(lines), dropped: 0, blob: 'b' };
  const source = keptSource(text, keptBeside(lines));

  it('shows its end at once and reads the rest backwards, without a gap', async () => {
    let pages = begin(source, 'tail');
    expect(lines.endsWith(shown(pages))).toBe(true);
    for (let turned = 0; turned < 3; turned += 1) pages = await more(pages, source, 'head');
    expect(lines).toContain(shown(pages));
    expect(endOf(pages) - startOf(pages)).toBeGreaterThan(PAGE + TEXT_LIMIT);
  });

  it('has nothing of its beginning until that is read', async () => {
    expect(source.first('head', FIRST)).toBeUndefined();
    const pages = withPage({ pieces: [], total: source.total }, await source.read(0, FIRST, 'tail'), 'tail');
    expect(lines.startsWith(shown(await more(pages, source, 'tail')))).toBe(true);
  });

  it('says where something was not kept, and never shows two sides of it as one', async () => {
    const head = lines.slice(0, lines.indexOf('line 20000 '));
    const tail = tailOf(lines);
    const bytes = utf8Bytes(lines);
    const dropped = bytes - utf8Bytes(head) - utf8Bytes(tail);
    const gapped = keptSource({ text: tail, bytes, dropped, blob: 'b' }, keptBeside(head));
    let pages = begin(gapped, 'tail');
    while (startOf(pages) > utf8Bytes(head)) pages = await more(pages, gapped, 'head');
    expect(gapped.hole).toEqual({ at: utf8Bytes(head), bytes: dropped });
    expect(shown(pages)).toBe(tail);
    const across = await more(pages, gapped, 'head');
    expect(head.endsWith(across.pieces[0]?.text ?? '?')).toBe(true);
  });

  it('that kept nothing beside is its end alone', () => {
    expect(localSource('end', 7).hole).toEqual({ at: 0, bytes: 7 });
  });
});
