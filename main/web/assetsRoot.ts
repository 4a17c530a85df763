import { access } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { RequestError } from '../../app/contract/reply.ts';

/** Where the built window lies, seen from this file: as it is, or as a part of a bundle in `out/main`. */
export const ASSETS_ROOT = assetsRoot(fileURLToPath(import.meta.url));

/** Without it there is nothing to serve, and nothing should be started. */
export async function checkAssets(root: string): Promise<void> {
  try {
    await access(join(root, 'index.html'));
  } catch (fault) {
    const message = `The window is not built: there is no index.html in ${root}. Build it with: npm run build.`;
    throw new RequestError('not-found', message, { cause: fault });
  }
}

export function assetsRoot(self: string): string {
  const isBundle = self.endsWith('.cjs');
  return isBundle ? join(dirname(self), '..', 'renderer') : join(dirname(self), '..', '..', 'out', 'renderer');
}
