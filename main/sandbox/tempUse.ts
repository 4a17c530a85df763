import { statfs } from 'node:fs/promises';

/** Less than this is nothing: no file can grow by it, and some blocks are kept back. */
const NOTHING_BYTES = 64 * 1024;

/** What is known of a private temp before a launch. Undefined where each launch has one of its own, which is empty. */
export async function tempBefore(tempRoot: string | undefined): Promise<TempBefore> {
  return { tempRoot, tempWasFull: tempRoot !== undefined && (await isFull(tempRoot)) };
}

interface TempBefore {
  readonly tempRoot: string | undefined;
  readonly tempWasFull: boolean;
}

/** Whether nothing more can be written to the private temp, or no file made in it. One that is gone is not full. */
export async function isFull(tempRoot: string): Promise<boolean> {
  try {
    const { bavail, bsize, ffree } = await statfs(tempRoot);
    return bavail * bsize < NOTHING_BYTES || ffree === 0;
  } catch {
    return false; // Whatever the reason: what cannot be asked has shown no limit.
  }
}
