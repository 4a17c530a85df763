import type { FileHandle } from 'node:fs/promises';

export interface LineRange {
  readonly from: number;
  /** Exclusive. */
  readonly to: number;
}

const CHUNK = 1024 * 1024;
const NEWLINE = 10;

/**
 * The complete lines of a range of a file, without their newlines, in batches of about one MiB, so that a long file
 * never blocks for long. Returns how many bytes behind the last newline are left.
 */
export async function* linesOf(
  file: FileHandle,
  { from, to }: LineRange,
  signal: AbortSignal,
): AsyncGenerator<readonly Buffer[], number> {
  let carried: Buffer[] = [];
  for (let at = from; at < to;) {
    signal.throwIfAborted();
    const buffer = Buffer.allocUnsafe(Math.min(CHUNK, to - at));
    const { bytesRead } = await file.read(buffer, 0, buffer.length, at);
    if (bytesRead === 0) break;
    at += bytesRead;
    const { lines, rest } = split(buffer.subarray(0, bytesRead), carried);
    carried = rest;
    if (lines.length > 0) yield lines;
  }
  return carried.reduce((sum, part) => sum + part.length, 0);
}

function split(chunk: Buffer, carried: Buffer[]): { lines: Buffer[]; rest: Buffer[] } {
  const lines: Buffer[] = [];
  let start = 0;
  let rest = carried;
  for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, start)) {
    const part = chunk.subarray(start, end);
    lines.push(rest.length === 0 ? part : Buffer.concat([...rest, part]));
    rest = [];
    start = end + 1;
  }
  if (start < chunk.length) rest.push(chunk.subarray(start));
  return { lines, rest };
}
