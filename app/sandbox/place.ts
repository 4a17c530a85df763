import { writableRoots, type SandboxPolicy } from './policy.ts';

/**
 * A path as the host knows it and as a sandbox sees it. They differ only in the Session's private temp, which is seen as
 * `/tmp` and lives in the Compartment. `path` is absolute, canonical and as seen from inside; of kind `host` it is the host's
 * path too.
 */
export type Place = { readonly kind: 'host'; readonly path: string } | { readonly kind: 'temp'; readonly path: string };

/** Where every confined process of a Session sees its private temp. */
export const TEMP = '/tmp';

/** Which file `path` (inside, absolute, canonical) stands for: the private temp covers the host's, a root covers temp. */
export function placeOf(path: string, policy: SandboxPolicy): Place {
  const covered =
    policy.mode !== 'danger-full-access' &&
    isWithin(path, TEMP) &&
    !boundRoots(policy).some((root) => isWithin(path, root));
  return { kind: covered ? 'temp' : 'host', path };
}

/** By component: `/a/bc` is not within `/a/b`; a folder is within itself. Both are absolute and canonical. */
export function isWithin(path: string, folder: string): boolean {
  if (folder === '/' || path === folder) return true;
  return path.startsWith(folder) && path[folder.length] === '/';
}

/** Every folder that a confined launch mounts, writable or not: they are seen even where their parent is hidden. */
export function boundRoots(policy: SandboxPolicy): readonly string[] {
  return writableRoots({ ...policy, mode: 'workspace-write' });
}

/**
 * Folders directly below the private temp in which a root lies. Each is an empty read-only folder around the root, made
 * by the sandbox: nothing of the host is seen in it, and nothing can be made in it.
 */
export function carriers(paths: readonly string[]): readonly string[] {
  const below = paths.filter((path) => path !== TEMP && isWithin(path, TEMP));
  return [...new Set(below.map((path) => path.split('/').slice(0, 3).join('/')))].toSorted();
}
