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
    const unit = text.charCodeAt(at);
    if (unit < 0x80) bytes += 1;
    else if (unit < 0x800) bytes += 2;
    else if (isPair(text, at)) {
      bytes += 4;
      at += 1;
    } else bytes += 3;
  }
  return bytes;
}

/** The longest well-formed tail of at most `limit` bytes: no character is ever cut in two. */
export function tailOf(text: string, limit = TEXT_LIMIT): string {
  let bytes = 0;
  let start = text.length;
  while (start > 0) {
    const width = start >= 2 && isPair(text, start - 2) ? 2 : 1;
    const next = bytes + utf8Bytes(text.slice(start - width, start));
    if (next > limit) break;
    bytes = next;
    start -= width;
  }
  return text.slice(start).toWellFormed();
}

/** A short text as it is; nothing dropped, no blob. Use only where `text` is known to be below TEXT_LIMIT. */
export function whole(text: string): Text {
  return { text, bytes: utf8Bytes(text), dropped: 0 };
}

function isPair(text: string, at: number): boolean {
  const high = text.charCodeAt(at);
  const low = text.charCodeAt(at + 1);
  return high >= 0xd800 && high < 0xdc00 && low >= 0xdc00 && low < 0xe000;
}
