import { randomUUID } from 'node:crypto';
import { open, realpath, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { makeFolder } from '../base/makeFolder.ts';

/**
 * Puts `text` in the place of `file`, whole or not at all, also across a power cut. `stillWanted` is asked right before the
 * rename; false leaves the file as it is. A link is followed, so that the file it names is replaced and not the link.
 */
export async function replaceFile(file: string, text: string, stillWanted: () => Promise<boolean>): Promise<boolean> {
  await makeFolder(dirname(file), 0o700);
  const target = await realpath(file).catch(() => file);
  const temporary = join(dirname(target), `.${randomUUID()}.tmp`);
  try {
    const handle = await open(temporary, 'wx', 0o600);
    try {
      await handle.writeFile(text);
      await handle.sync();
    } finally {
      await handle.close();
    }
    if (!(await stillWanted())) return false;
    await rename(temporary, target);
    await syncFolder(dirname(target));
    return true;
  } finally {
    await rm(temporary, { force: true });
  }
}

async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
