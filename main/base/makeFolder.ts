import { mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { codeOf } from './codeOf.ts';

/**
 * Makes a folder and what is missing above it. Not with Node's own `recursive`: below `/proc`, where nothing can be made
 * and the answer is "no such file", that one tries for ever.
 */
export async function makeFolder(path: string, mode: number): Promise<void> {
  try {
    await mkdir(path, { mode });
  } catch (fault) {
    if (codeOf(fault) === 'EEXIST' && (await stat(path)).isDirectory()) return;
    const parent = dirname(path);
    if (codeOf(fault) !== 'ENOENT' || (await isThere(parent))) throw fault;
    await makeFolder(parent, mode);
    await makeFolder(path, mode);
  }
}

async function isThere(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
