import { open, readdir, rename, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { makeFolder } from '../base/makeFolder.ts';
import { absent, FOLDER_MODE } from './disk.ts';
import { readHolder, tryLockFile, type FileLocks, type HeldLock, type Holder } from './lockFile.ts';

/** This main process, for as long as it runs: others can tell whether it lives, whatever happens to it. */
export interface Instance {
  /** Those that ended without saying so. Each is held for the caller alone, until it is let go. */
  dead(): Promise<readonly DeadInstance[]>;
  /** Leaves, and takes its mark with it. */
  close(): Promise<void>;
}

export interface DeadInstance {
  readonly id: string;
  /** What it had written of itself. */
  readonly holder: Partial<Holder>;
  /** What it left has been dealt with: nobody finds it again. */
  forget(): Promise<void>;
  /** Somebody else may deal with it later. */
  release(): Promise<void>;
}

/** Marks this process in `folder`, that is `<home>/instances`, by a lock on `<id>.lock`. */
export async function holdInstance(
  folder: string,
  { holder, locks }: { readonly holder: Holder; readonly locks: FileLocks },
): Promise<Instance> {
  await makeFolder(folder, FOLDER_MODE);
  const path = join(folder, `${holder.instance}${ENDING}`);
  // Locked before it has its name: no moment in which it looks dead.
  const lock = await tryLockFile(`${path}.new`, holder, locks);
  if (lock.kind === 'taken') throw new Error(`Another process is starting as ${holder.instance}`);
  await rename(`${path}.new`, path);
  let closing: Promise<void> | undefined;
  return {
    dead: () => findDead(folder, holder.instance, locks),
    close: () => (closing ??= remove(path, lock)),
  };
}

const ENDING = '.lock';

async function findDead(folder: string, own: string, locks: FileLocks): Promise<readonly DeadInstance[]> {
  const dead: DeadInstance[] = [];
  for (const name of await readdir(folder)) {
    const id = name.slice(0, -ENDING.length);
    if (!name.endsWith(ENDING) || id === own) continue;
    const found = await lookAt(join(folder, name), id, locks);
    if (found) dead.push(found);
  }
  return dead;
}

/** Not through `tryLockFile`: it would write our name over that of the dead one. */
async function lookAt(path: string, id: string, locks: FileLocks): Promise<DeadInstance | undefined> {
  const file = await absent(open(path, 'r+'));
  if (!file) return undefined;
  if (!locks.tryLock(file.fd)) {
    await file.close();
    return undefined;
  }
  const lock: HeldLock = { kind: 'held', close: () => file.close() };
  const holder = await readHolder(file);
  return { id, holder, forget: () => remove(path, lock), release: () => lock.close() };
}

async function remove(path: string, lock: HeldLock): Promise<void> {
  await absent(unlink(path));
  await lock.close();
}
