import { mkdir, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { sha256 } from '../base/sha256.ts';
import { absent, FOLDER_MODE, type Disk } from './disk.ts';
import { publishAgain } from './publish.ts';

/** Keeps a text in `folder` under its SHA-256; durable when it resolves. */
export async function keepBlob(folder: string, text: string, disk: Disk): Promise<string> {
  const bytes = Buffer.from(text);
  const digest = sha256(bytes);
  const path = join(folder, digest);
  const kept = await absent(stat(path));
  // A blob has its name only when it is whole and synced.
  if (kept?.size === bytes.length) return digest;
  const made = await mkdir(folder, { recursive: true, mode: FOLDER_MODE });
  if (made !== undefined) await disk.syncFolder(dirname(made));
  await publishAgain(path, bytes, disk);
  return digest;
}
