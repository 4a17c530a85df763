import { constants, type Stats } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import { messageOf } from '../../app/base/fault.ts';
import { StoreError } from '../../app/session/store.ts';
import { codeOf } from '../base/codeOf.ts';

/** What may fail while a log is written. Tests put a failing one in its place. */
export interface Disk {
  write(file: FileHandle, bytes: Buffer, at: number): Promise<void>;
  /** Resolves when the content is on the device. */
  sync(file: FileHandle): Promise<void>;
  truncate(file: FileHandle, size: number): Promise<void>;
  /** Makes names in a folder durable: new, moved and removed ones. */
  syncFolder(folder: string): Promise<void>;
}

export const realDisk: Disk = {
  async write(file, bytes, at) {
    for (let done = 0; done < bytes.length;) {
      const { bytesWritten } = await file.write(bytes, done, bytes.length - done, at + done);
      done += bytesWritten;
    }
  },
  sync: (file) => file.sync(),
  truncate: (file, size) => file.truncate(size),
  async syncFolder(folder) {
    const handle = await open(folder, constants.O_RDONLY | constants.O_DIRECTORY);
    try {
      await handle.sync();
    } finally {
      await handle.close();
    }
  },
};

export const FILE_MODE = 0o600;
export const FOLDER_MODE = 0o700;

/** Undefined when there is nothing of that name. */
export async function absent<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work;
  } catch (fault) {
    if (codeOf(fault) === 'ENOENT') return undefined;
    throw fault;
  }
}

/** The disk did not do what it was asked to. */
export function storageFault(doing: string, fault: unknown): StoreError {
  if (fault instanceof StoreError) return fault;
  const full = codeOf(fault) === 'ENOSPC' || codeOf(fault) === 'EDQUOT';
  const why = full ? 'disk full' : messageOf(fault);
  return new StoreError('storage', `${doing}: ${why}`, { cause: fault, full });
}

/** Two looks at one file that show the same content: nothing was written in between. */
export function isUntouched(before: Stats, now: Stats): boolean {
  return (
    before.ino === now.ino &&
    before.size === now.size &&
    before.mtimeMs === now.mtimeMs &&
    before.ctimeMs === now.ctimeMs
  );
}
