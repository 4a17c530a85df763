import { open, type FileHandle } from 'node:fs/promises';
import { FILE_MODE } from './disk.ts';

/** Locks of the operating system on open files: they end with their holder, however it ends. */
export interface FileLocks {
  /** False when another open file, here or in another process, has it. */
  tryLock(fd: number): boolean;
}

/** Who holds a lock, in words for the one who does not get it. Written into the lock's file. */
export interface Holder {
  readonly instance: string;
  readonly pid: number;
  readonly startTime: string;
  /** Epoch ms. */
  readonly since: number;
  /** Window, `control`, `run`: where a person finds it. */
  readonly door?: string;
}

export interface HeldLock {
  readonly kind: 'held';
  close(): Promise<void>;
}

export type LockAttempt = HeldLock | { readonly kind: 'taken'; readonly by: Partial<Holder> };

/**
 * Takes the lock on `path`, making the file where it is missing. The descriptor is close-on-exec, as all of Node's are:
 * no process that is started meanwhile keeps the lock alive.
 */
export async function tryLockFile(path: string, holder: Holder, locks: FileLocks): Promise<LockAttempt> {
  const file = await open(path, 'a+', FILE_MODE);
  try {
    if (!locks.tryLock(file.fd)) {
      const by = await readHolder(file);
      await file.close();
      return { kind: 'taken', by };
    }
    await file.truncate(0);
    await file.write(JSON.stringify(holder), 0);
  } catch (fault) {
    await file.close();
    throw fault;
  }
  let closing: Promise<void> | undefined;
  return { kind: 'held', close: () => (closing ??= file.close()) };
}

/** What a lock's file says; nothing when its holder has not written yet. */
export async function readHolder(file: FileHandle): Promise<Partial<Holder>> {
  const buffer = Buffer.alloc(4096);
  const { bytesRead } = await file.read(buffer, 0, buffer.length, 0);
  try {
    const said: unknown = JSON.parse(buffer.toString('utf8', 0, bytesRead));
    return typeof said === 'object' && said !== null ? said : {}; // Only shown; each member may be missing.
  } catch {
    return {};
  }
}

export function describeHolder({ pid, startTime, since, door, instance }: Partial<Holder>): string {
  if (pid === undefined) return 'another process';
  const details = [
    since !== undefined && `since ${new Date(since).toISOString()}`,
    startTime !== undefined && `start ${startTime}`,
    instance !== undefined && `instance ${instance}`,
  ].filter((detail) => detail !== false);
  return `${door === undefined ? '' : `${door}, `}process ${pid}${details.length > 0 ? ` (${details.join(', ')})` : ''}`;
}
