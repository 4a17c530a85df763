import type { FileHandle } from 'node:fs/promises';
import type { TextPage, WantedPage } from '../../app/session/keptTexts.ts';

/** A character has at most this many bytes beside its first one. */
const REST = 3;

/** One page of a file of UTF-8, of which the first `size` bytes count. */
export async function pageOf(file: FileHandle, wanted: WantedPage & { readonly size: number }): Promise<TextPage> {
  const { size } = wanted;
  const start = Math.min(wanted.from, size);
  // A little more on both sides, to see where the characters at the edges begin and end.
  const origin = Math.max(0, start - REST);
  const bytes = await readAt(file, origin, Math.min(size, start + wanted.bytes + REST + 1) - origin);
  const begin = firstByte(bytes, start - origin);
  const end = endOf(bytes, begin, start - origin + wanted.bytes);
  const next = origin + end;
  return {
    text: bytes.toString('utf8', begin, end),
    from: origin + begin,
    ...(next < size && { next }),
    bytes: size,
  };
}

async function readAt(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const bytes = Buffer.alloc(length);
  for (let done = 0; done < length;) {
    const { bytesRead } = await file.read(bytes, done, length - done, position + done);
    if (bytesRead === 0) return bytes.subarray(0, done);
    done += bytesRead;
  }
  return bytes;
}

/** Where a page that may reach to `limit` ends: before a character that would be cut, behind one that is all there is. */
function endOf(bytes: Buffer, begin: number, limit: number): number {
  if (limit >= bytes.length) return bytes.length;
  const end = firstByte(bytes, limit);
  return end > begin ? end : afterCharacter(bytes, begin);
}

/** The first byte of the character that `at` is in. */
function firstByte(bytes: Buffer, at: number): number {
  let first = at;
  while (first > 0 && at - first < REST && isRest(bytes[first])) first -= 1;
  return first;
}

function afterCharacter(bytes: Buffer, at: number): number {
  let end = at + 1;
  while (end < bytes.length && end - at <= REST && isRest(bytes[end])) end += 1;
  return end;
}

function isRest(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80;
}
