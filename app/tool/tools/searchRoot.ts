import type { Confinement, Files } from '../ports.ts';
import type { Outcome } from '../result.ts';
import { refusalOf } from './fileParts.ts';

export interface SearchRoot {
  readonly kind: 'root';
  /** Inside path, absolute. */
  readonly path: string;
  readonly isFile: boolean;
}

/** The file or folder to search, the workspace when none is named; judged like a file that is read. */
export async function searchRoot(
  files: Files,
  path: string | undefined,
  { at, signal }: { readonly at: Confinement; readonly signal: AbortSignal },
): Promise<SearchRoot | Outcome> {
  const found = await files.read(path ?? at.policy.workspace.path, at, signal);
  if (found.kind === 'not-a-file') return { kind: 'root', path: found.path, isFile: false };
  if (found.kind === 'too-large') return { kind: 'root', path: found.path, isFile: true };
  if (found.kind === 'file') return { kind: 'root', path: found.place.path, isFile: true };
  return refusalOf(found, 'read', { parts: { deniedLine: () => '' }, at });
}

export function isRoot(root: SearchRoot | Outcome): root is SearchRoot {
  return 'isFile' in root;
}
