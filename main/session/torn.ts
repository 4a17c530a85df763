import { open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { codeOf } from '../base/codeOf.ts';
import { FILE_MODE, realDisk } from './disk.ts';

export interface TornTail {
  readonly bytes: number;
  readonly path: string;
}

/** Moves what stands behind the last newline into a file beside the log: kept, and out of the next event's way. */
export async function moveTornTail(log: string, end: number, now: number): Promise<TornTail> {
  const file = await open(log, 'r+');
  try {
    const { size } = await file.stat();
    const tail = Buffer.alloc(size - end);
    await file.read(tail, 0, tail.length, end);
    const path = await keepAside(log, tail, now);
    // Only now: until the copy is durable the log still holds the bytes.
    await file.truncate(end);
    await file.sync();
    return { bytes: tail.length, path };
  } finally {
    await file.close();
  }
}

/** Under the time of now, or the next moment that has no file yet: what was kept before stays. */
async function keepAside(log: string, tail: Buffer, time: number): Promise<string> {
  const path = `${log}.torn-${time}`;
  const aside = await open(path, 'wx', FILE_MODE).catch((fault: unknown) => {
    if (codeOf(fault) === 'EEXIST') return undefined;
    throw fault;
  });
  if (!aside) return keepAside(log, tail, time + 1);
  try {
    await aside.writeFile(tail);
    await aside.sync();
  } finally {
    await aside.close();
  }
  await realDisk.syncFolder(dirname(path));
  return path;
}
