import { constants } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import type { SessionId } from '../../app/base/id.ts';
import type { KeptTexts, TextPage, WantedPage } from '../../app/session/keptTexts.ts';
import { codeOf } from '../base/codeOf.ts';
import { absent, storageFault } from './disk.ts';
import { pathsOf } from './paths.ts';

/** The texts that the jsonl store keeps, one file each, named by its SHA-256. */
export class FileTexts implements KeptTexts {
  readonly #folder: string;

  /** `<home>/sessions`. */
  constructor(folder: string) {
    this.#folder = folder;
  }

  async page(id: SessionId, blob: string, wanted: WantedPage, signal: AbortSignal): Promise<TextPage | undefined> {
    signal.throwIfAborted();
    const path = join(pathsOf(this.#folder, id).blobs, blob);
    try {
      const file = await absent(open(path, constants.O_RDONLY | constants.O_NOFOLLOW));
      if (!file) return undefined;
      try {
        return await pageOf(file, wanted);
      } finally {
        await file.close();
      }
    } catch (fault) {
      throw codeOf(fault) === undefined ? fault : storageFault(`The text ${path} could not be read`, fault);
    }
  }
}

/** A character has at most this many bytes beside its first one. */
const REST = 3;

async function pageOf(file: FileHandle, wanted: WantedPage): Promise<TextPage> {
  const { size } = await file.stat();
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
