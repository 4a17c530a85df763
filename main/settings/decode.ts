import { isUtf8 } from 'node:buffer';
import type { Position } from '../../app/policy/jsonPlaces.ts';

export type Decoded =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'encoding'; readonly message: string; readonly position: Position };

/** Text of a file that a person edits: UTF-8, with or without a byte-order mark. Nothing is ever replaced in silence. */
export function decode(bytes: Uint8Array): Decoded {
  if (looksLikeUtf16(bytes)) {
    return { kind: 'encoding', message: 'the encoding is UTF-16; save the file as UTF-8', position: START };
  }
  // `TextDecoder` takes the byte-order mark off.
  if (isUtf8(bytes)) return { kind: 'text', text: new TextDecoder().decode(bytes) };
  const message = 'the encoding is not UTF-8: a byte here is invalid';
  return { kind: 'encoding', message, position: firstInvalid(bytes) };
}

const START: Position = { line: 1, column: 1 };

function looksLikeUtf16(bytes: Uint8Array): boolean {
  const [first, second] = bytes;
  const marked = (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);
  // Without a mark: in UTF-16, one byte of every ASCII character is zero. In JSON no zero byte is allowed.
  return marked || (bytes.length > 1 && (first === 0) !== (second === 0));
}

function firstInvalid(bytes: Uint8Array): Position {
  let start = 0;
  for (let line = 1; ; line += 1) {
    const newline = bytes.indexOf(0x0a, start);
    const end = newline === -1 ? bytes.length : newline;
    const content = bytes.subarray(start, end);
    if (!isUtf8(content)) return { line, column: new TextDecoder().decode(content).indexOf('\ufffd') + 1 };
    if (newline === -1) return { line, column: 1 };
    start = newline + 1;
  }
}
