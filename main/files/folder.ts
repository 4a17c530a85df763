import { constants } from 'node:fs';
import { mkdir, open, readlink, type FileHandle } from 'node:fs/promises';
import { posix } from 'node:path';
import type { Place } from '../../app/sandbox/place.ts';
import { codeOf, movedOr } from './fault.ts';
import type { View } from './view.ts';

/** Opens a folder for its name alone, which needs no read permission. Linux; Node does not name it. */
const O_PATH = 0o10000000;
const FOLDER = O_PATH | constants.O_DIRECTORY;

/**
 * A folder held open. Whatever happens to its path, `entry(name)` is a path to a name in this very folder, and
 * `place(name)` tells where that name lies now (agent.md, Tools).
 */
export interface Folder {
  entry(name: string): string;
  place(name: string): Promise<Place>;
  /** Puts a rename in this folder on disk. */
  sync(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Opens `place` one component at a time and follows no link, so it is the folder that was resolved or it throws Moved.
 * The last `make` components may be made. Undefined: the private temp cannot be reached.
 */
export async function openFolder(place: Place, make: number, view: View): Promise<Folder | undefined> {
  const base = await view.base(place);
  if (base === undefined) return undefined;
  const root = await open(base.folder, FOLDER);
  try {
    const folder = await descend(root, base.names, make);
    return heldFolder({ root, folder, inside: base.inside }, view);
  } catch (fault) {
    await root.close();
    throw movedOr(fault);
  }
}

async function descend(root: FileHandle, names: readonly string[], make: number): Promise<FileHandle> {
  let folder = root;
  for (const [index, name] of names.entries()) {
    const path = `/proc/self/fd/${folder.fd}/${name}`;
    try {
      if (index >= names.length - make) await makeFolder(path);
      const next = await open(path, FOLDER | constants.O_NOFOLLOW);
      if (folder !== root) await folder.close();
      folder = next;
    } catch (fault) {
      if (folder !== root) await folder.close();
      throw fault;
    }
  }
  return folder;
}

async function makeFolder(path: string): Promise<void> {
  try {
    await mkdir(path);
  } catch (fault) {
    if (codeOf(fault) !== 'EEXIST') throw fault;
  }
}

interface Held {
  readonly root: FileHandle;
  readonly folder: FileHandle;
  readonly inside: string;
}

function heldFolder({ root, folder, inside }: Held, view: View): Folder {
  const path = `/proc/self/fd/${folder.fd}`;
  return {
    entry: (name) => `${path}/${name}`,
    place: async (name) => {
      const [from, to] = [await readlink(`/proc/self/fd/${root.fd}`), await readlink(path)];
      const below = posix.relative(from, to);
      // Moved out of the private temp it is no place of the sandbox any more; its host path says where it is.
      return below === '..' || below.startsWith('../')
        ? { kind: 'host', path: posix.join(to, name) }
        : view.place(posix.join(inside, below, name));
    },
    sync: async () => {
      const readable = await open(`${path}/.`, constants.O_RDONLY | constants.O_DIRECTORY);
      try {
        await readable.sync();
      } finally {
        await readable.close();
      }
    },
    close: async () => {
      if (folder !== root) await folder.close();
      await root.close();
    },
  };
}
