import { statfs } from 'node:fs/promises';

/** Less than this is nothing: no file can grow by it, and some blocks are kept back. */
const NOTHING_BYTES = 64 * 1024;

/** Whether nothing more can be written to the private temp, or no file made in it. One that is gone is not full. */
export async function isFull(tempRoot: string): Promise<boolean> {
  try {
    const { bavail, bsize, ffree } = await statfs(tempRoot);
    return bavail * bsize < NOTHING_BYTES || ffree === 0;
  } catch {
    return false; // Whatever the reason: what cannot be asked has shown no limit.
  }
}
