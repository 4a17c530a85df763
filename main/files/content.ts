import { constants } from 'node:fs';
import { lstat, open, type FileHandle } from 'node:fs/promises';
import { posix } from 'node:path';
import type { Place } from '../../app/sandbox/place.ts';
import type { FileContent, FileFailure } from '../../app/tool/ports.ts';
import { sha256 } from '../base/sha256.ts';
import { codeOf, Moved, movedOr } from './fault.ts';
import type { Folder } from './folder.ts';

/** No file is read further than this, whatever its size says: some files grow while they are read. */
export const READ_LIMIT = 10 * 1024 * 1024;

/** A file as it is right now, with what a replacement has to keep. */
export interface Current {
  readonly kind: 'current';
  readonly content: FileContent;
  readonly mode: number;
  readonly uid: number;
  readonly gid: number;
}

/** Reads the file `name` of an open folder; undefined when there is none. Throws Moved when it became a link. */
export async function readEntry(
  folder: Folder,
  place: Place,
  signal: AbortSignal,
): Promise<Current | FileFailure | undefined> {
  const path = folder.entry(posix.basename(place.path));
  try {
    // Asked before opening: to open a device or a pipe is to use it.
    const entry = await lstat(path);
    if (entry.isSymbolicLink()) throw new Moved('A link took the place of the file');
    if (!entry.isFile()) return { kind: 'not-a-file', path: place.path };
    return await openAndRead(path, place, signal);
  } catch (fault) {
    if (codeOf(fault) === 'ENOENT') return undefined;
    throw movedOr(fault);
  }
}

async function openAndRead(path: string, place: Place, signal: AbortSignal): Promise<Current | FileFailure> {
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    return await readFile(file, place, signal);
  } finally {
    await file.close();
  }
}

async function readFile(file: FileHandle, place: Place, signal: AbortSignal): Promise<Current | FileFailure> {
  const stat = await file.stat();
  const { mode, uid, gid, size } = stat;
  if (!stat.isFile()) return { kind: 'not-a-file', path: place.path };
  if (size > READ_LIMIT) return { kind: 'too-large', path: place.path, bytes: size };
  const bytes = await readBounded(file, size, signal);
  if (bytes.length > READ_LIMIT) return { kind: 'too-large', path: place.path, bytes: bytes.length };
  return { kind: 'current', content: contentOf(bytes, place), mode, uid, gid };
}

/** The size is a hint: files below `/proc` say 0. One byte beyond the limit is enough to know. */
async function readBounded(file: FileHandle, size: number, signal: AbortSignal): Promise<Buffer> {
  const parts: Buffer[] = [];
  for (let total = 0; total <= READ_LIMIT;) {
    signal.throwIfAborted();
    const { bytesRead, buffer } = await file.read(Buffer.allocUnsafe(Math.max(64 * 1024, size + 1 - total)));
    if (bytesRead === 0) break;
    parts.push(buffer.subarray(0, bytesRead));
    total += bytesRead;
  }
  return Buffer.concat(parts);
}

const BOM = Buffer.from([0xef, 0xbb, 0xbf]);
const decoder = new TextDecoder('utf-8', { fatal: true });

function contentOf(bytes: Buffer, place: Place): FileContent {
  const bom = bytes.subarray(0, 3).equals(BOM);
  return { kind: 'file', place, bytes: bytes.length, sha256: sha256(bytes), text: textOf(bytes), bom };
}

/** What a file holds when `text` replaces its content: a byte-order mark stays. */
export function encode(text: string, bom: boolean): Buffer {
  const bytes = Buffer.from(text);
  return bom && !bytes.subarray(0, 3).equals(BOM) ? Buffer.concat([BOM, bytes]) : bytes;
}

/** Undefined for what is not text: a NUL, or bytes that are not UTF-8. The decoder drops the byte-order mark. */
function textOf(bytes: Buffer): string | undefined {
  if (bytes.includes(0)) return undefined;
  try {
    return decoder.decode(bytes);
  } catch {
    return undefined; // The one thing that a fatal decoder throws for.
  }
}
