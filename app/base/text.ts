/**
 * A bounded view of something that may be long: the well-formed tail, the size of the whole, what neither `text` nor
 * `blob` holds, and the SHA-256 of the whole where it is kept (contract.md, Conventions). Sizes are bytes of UTF-8.
 */
export interface Text {
  readonly text: string;
  readonly bytes: number;
  readonly dropped: number;
  readonly blob?: string;
}

export const TEXT_LIMIT = 64 * 1024;

/** Bytes of `text` as UTF-8; a lone surrogate counts as the three bytes of its replacement. */
export function utf8Bytes(text: string): number {
  let bytes = 0;
  for (let at = 0; at < text.length; at += 1) {
    if (isPair(text, at)) {
      bytes += 4;
      at += 1;
    } else bytes += unitBytes(text.charCodeAt(at));
  }
  return bytes;
}

/** The longest well-formed tail of at most `limit` bytes: no character is ever cut in two. Reads only that tail. */
export function tailOf(text: string, limit = TEXT_LIMIT): string {
  let start = text.length;
  for (let left = limit; start > 0;) {
    const units = isPair(text, start - 2) ? 2 : 1;
    left -= units === 2 ? 4 : unitBytes(text.charCodeAt(start - 1));
    if (left < 0) break;
    start -= units;
  }
  return text.slice(start).toWellFormed();
}

/** A short text as it is; nothing dropped, no blob. Use only where `text` is known to be below TEXT_LIMIT. */
export function whole(text: string): Text {
  return { text, bytes: utf8Bytes(text), dropped: 0 };
}

/** Bytes of one UTF-16 unit outside a pair. */
function unitBytes(unit: number): number {
  if (unit < 0x80) return 1;
  return unit < 0x800 ? 2 : 3;
}

/** At `at` stands a character of two units. */
function isPair(text: string, at: number): boolean {
  const high = text.charCodeAt(at);
  if (!(high >= 0xd800 && high < 0xdc00)) return false;
  const low = text.charCodeAt(at + 1);
  return low >= 0xdc00 && low < 0xe000;
}
