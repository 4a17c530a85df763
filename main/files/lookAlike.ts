import { readdir } from 'node:fs/promises';
import { posix } from 'node:path';
import type { Resolved } from './resolve.ts';
import type { View } from './view.ts';

const MOST_NAMES = 10_000;

/** A hint for a path that does not exist while a name that looks the same does, spelled with other code points. */
export async function lookAlike({ place, missing }: Resolved, view: View): Promise<string | undefined> {
  const [name] = missing;
  const folder = view.place(posix.join(place.path, ...missing.map(() => '..')));
  const base = await view.base(folder);
  if (name === undefined || base === undefined || view.refuse(folder, 'read')) return undefined;
  const names = await namesIn(posix.join(base.folder, ...base.names));
  const twin = names.find((other) => other.normalize('NFC') === name.normalize('NFC'));
  return twin === undefined
    ? undefined
    : `${posix.join(folder.path, twin)} exists and looks the same, but its name is spelled with other Unicode characters`;
}

async function namesIn(folder: string): Promise<readonly string[]> {
  try {
    return (await readdir(folder)).slice(0, MOST_NAMES);
  } catch {
    return []; // A hint that cannot be had is no hint; the answer is "not found" either way.
  }
}
