import { isNestedProtected } from './nestedGit.ts';

/**
 * The git folder of a workspace that is a linked worktree. It lies outside the workspace and was found to point back to
 * exactly this one; what of it may be written is said here.
 */
export interface LinkedGit {
  /** What all worktrees of the repository share: `<main>/.git`. */
  readonly common: string;
  /** What is this worktree's alone: `<common>/worktrees/<name>`. */
  readonly entry: string;
  /** The folder itself may get new names, such as a lock; otherwise only folders in it are written into. */
  readonly whole: boolean;
}

/** Folders of a shared git folder that every worktree writes. */
const SHARED = ['objects', 'refs', 'logs'] as const;
/** Files that git replaces in the shared folder itself, beside a lock of the same name. */
const REPLACED = ['packed-refs', 'gc.pid', 'gc.log', 'shallow', 'rr-cache', 'lfs'] as const;
/** What of a shared git folder runs programs, or says where such things are. */
const COMMON_PROTECTED = ['hooks', 'config', 'config.worktree', 'commondir', 'modules'] as const;
const ENTRY_PROTECTED = ['commondir', 'gitdir', 'config.worktree'] as const;

/** Folders in the shared folder that are written into and never replaced. */
export function sharedFolders({ common }: LinkedGit): readonly string[] {
  return SHARED.map((name) => `${common}/${name}`);
}

/** The folders that are bound for a linked worktree, besides the workspace. */
export function linkedRoots(linked: LinkedGit | undefined): readonly string[] {
  if (!linked) return [];
  return linked.whole ? [linked.common] : [...sharedFolders(linked), linked.entry];
}

/** What stays read-only wherever it exists. */
export function linkedProtected({ common, entry }: LinkedGit): readonly string[] {
  return [...COMMON_PROTECTED.map((name) => `${common}/${name}`), ...ENTRY_PROTECTED.map((name) => `${entry}/${name}`)];
}

/** Whether git in the worktree has to write this name of the shared folder; every other one that exists is not touched. */
export function isShared(name: string): boolean {
  return [...SHARED, ...REPLACED].some((each) => name === each || name === `${each}.lock` || name === `${each}.new`);
}

/** Whether a path below the shared folder may be written; of another worktree's nothing may. */
export function mayWriteLinked(path: string, linked: LinkedGit): boolean {
  const { common, entry } = linked;
  const inside = (folder: string) => path.startsWith(`${folder}/`);
  if (linkedProtected(linked).some((each) => path === each || inside(each))) return false;
  if (isNestedProtected(path, entry) || sharedFolders(linked).includes(path)) return false;
  if (inside(entry)) return true;
  const [name = ''] = path.slice(common.length + 1).split('/');
  return inside(common) && isShared(name);
}
