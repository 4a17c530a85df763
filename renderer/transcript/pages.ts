import { tailOf, utf8Bytes, type Text } from '../../app/base/text.ts';

/** A long text that is shown a part at a time. Offsets count what was kept of it, in a unit that only the source knows. */
export interface TextSource {
  readonly total: number;
  /** What was not kept, and before which offset it would stand. */
  readonly hole?: { readonly at: number; readonly bytes: number };
  /** What is there at once, at this end, of about `size`. */
  first(side: Side, size: number): Piece | undefined;
  /** A part of `[from, to)` without a hole: that part which is next to what is shown already, when it is put on at `side`. */
  read(from: number, to: number, side: Side): Promise<Piece>;
}

export type Side = 'head' | 'tail';

/** `[from, to)` of the text. */
export interface Piece {
  readonly text: string;
  readonly from: number;
  readonly to: number;
}

/** What is shown, without a gap; a page at a time is put on at one end, and too much is taken off at the other. */
export interface Pages {
  readonly pieces: readonly Piece[];
  readonly total: number;
}

export const FIRST_PAGE = 8 * 1024;
export const PAGE = 64 * 1024;
/** Of one text, however long it is. */
export const MOST_SHOWN = 3 * PAGE;

export function startOf({ pieces }: Pages): number {
  return pieces[0]?.from ?? 0;
}

export function endOf({ pieces }: Pages): number {
  return pieces.at(-1)?.to ?? 0;
}

export function hasEarlier(pages: Pages): boolean {
  return startOf(pages) > 0;
}

export function hasLater(pages: Pages): boolean {
  return endOf(pages) < pages.total;
}

/** The page to read next at that end. */
export function nextPage(pages: Pages, side: Side): { readonly from: number; readonly to: number } {
  if (side === 'head') return { from: Math.max(0, startOf(pages) - PAGE), to: startOf(pages) };
  return { from: endOf(pages), to: Math.min(pages.total, endOf(pages) + PAGE) };
}

export function withPage({ pieces, total }: Pages, piece: Piece, side: Side): Pages {
  const all = side === 'head' ? [piece, ...pieces] : [...pieces, piece];
  let size = all.reduce((sum, { from, to }) => sum + to - from, 0);
  while (size > MOST_SHOWN && all.length > 1) {
    const gone = side === 'head' ? all.pop() : all.shift();
    size -= gone ? gone.to - gone.from : 0;
  }
  return { pieces: all, total };
}

/** Everything is here: the unit is the UTF-16 unit. */
export function localSource(text: string, dropped = 0): TextSource {
  const piece = (from: number, to: number): Piece => {
    const [start, end] = [boundary(text, from), boundary(text, to)];
    return { text: text.slice(start, end).toWellFormed(), from: start, to: end };
  };
  return {
    total: text.length,
    // A text that is only kept in part is kept from its end.
    ...(dropped > 0 && { hole: { at: 0, bytes: dropped } }),
    first: (side, size) =>
      side === 'head' ? piece(0, Math.min(size, text.length)) : piece(Math.max(0, text.length - size), text.length),
    read: (from, to) => Promise.resolve(piece(from, to)),
  };
}

/** Reads what the log keeps beside itself, by bytes from its beginning. */
export type ReadKept = (from: number, bytes: number) => Promise<Piece>;

/** The end is here, what stands before it is kept beside the log: the unit is the byte of UTF-8. */
export function keptSource({ text, bytes, dropped }: Text, read: ReadKept): TextSource {
  const total = bytes - dropped;
  const start = total - utf8Bytes(text);
  const endFrom = (from: number): Piece => {
    const end = tailOf(text, total - from);
    return { text: end, from: total - utf8Bytes(end), to: total };
  };
  const readHere = (from: number, to: number): Piece => {
    const [part, rest] = [endFrom(from), endFrom(to)];
    return { text: part.text.slice(0, part.text.length - rest.text.length), from: part.from, to: rest.from };
  };
  return {
    total,
    ...(dropped > 0 && { hole: { at: start, bytes: dropped } }),
    first: (side, size) => (side === 'tail' ? endFrom(total - size) : start === 0 ? readHere(0, size) : undefined),
    read: async (from, to, side) => {
      if (from >= start) return readHere(from, to);
      if (to > start && side === 'head') return readHere(start, to);
      return read(from, Math.min(to, start) - from);
    },
  };
}

/** Never between the halves of a character, and at the start of a line where one is near. */
function boundary(text: string, at: number): number {
  if (at <= 0 || at >= text.length) return Math.max(0, Math.min(at, text.length));
  const line = text.lastIndexOf('\n', at - 1) + 1;
  if (at - line < NEAR && line > 0) return line;
  const high = text.charCodeAt(at - 1);
  return high >= 0xd800 && high < 0xdc00 ? at - 1 : at;
}

const NEAR = 1024;
