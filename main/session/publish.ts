import { randomBytes } from 'node:crypto';
import { link, open, rename, unlink } from 'node:fs/promises';
import { dirname } from 'node:path';
import { FILE_MODE, type Disk } from './disk.ts';

/**
 * Makes a file that is either whole or not there: written beside its place, synced, then given its name in one step.
 * Rejects with EEXIST when the name is taken; the one who has it keeps it.
 */
export async function publishNew(path: string, bytes: Buffer, disk: Disk): Promise<void> {
  const temporary = await writeBeside(path, bytes, disk);
  try {
    await link(temporary, path);
  } finally {
    await unlink(temporary).catch(() => undefined); // A leftover is harmless; what counts is why it failed.
  }
  try {
    await disk.syncFolder(dirname(path));
  } catch (fault) {
    // The name may not last, so it must not be there: the caller will try again.
    await unlink(path);
    throw fault;
  }
}

/** The same for content that is its own name: who comes second writes the same bytes. */
export async function publishAgain(path: string, bytes: Buffer, disk: Disk): Promise<void> {
  const temporary = await writeBeside(path, bytes, disk);
  await rename(temporary, path);
  await disk.syncFolder(dirname(path));
}

async function writeBeside(path: string, bytes: Buffer, disk: Disk): Promise<string> {
  const temporary = `${path}.${randomBytes(6).toString('hex')}.tmp`;
  const file = await open(temporary, 'wx', FILE_MODE);
  try {
    try {
      await disk.write(file, bytes, 0);
      await disk.sync(file);
    } finally {
      await file.close();
    }
  } catch (fault) {
    await unlink(temporary).catch(() => undefined); // As above.
    throw fault;
  }
  return temporary;
}
