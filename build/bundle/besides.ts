import { cpSync, globSync, mkdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { locksPath, ripgrepPath } from '../../main/native.ts';

/**
 * What the programs load by path and no bundler can follow: the scripts that run inside sandboxes, and machine code. With
 * it, `folder` needs no package.
 */
export function copyBesides(root: string, folder: string): void {
  for (const script of globSync('ptc/*.cjs', { cwd: join(root, 'main') })) {
    cpSync(join(root, 'main', script), join(folder, script));
  }
  mkdirSync(join(folder, 'native'), { recursive: true });
  for (const file of [locksPath(), ripgrepPath()]) cpSync(file, join(folder, 'native', basename(file)));
}
