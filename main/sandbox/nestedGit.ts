import { lstatSync, readdirSync, type Dirent } from 'node:fs';
import { isNestedName, NESTED } from '../../app/sandbox/nestedGit.ts';

/** Folders of a git folder that may hold any number of others, and no git folder. */
const BULK = ['objects', 'refs', 'logs', 'info', 'lfs', 'rr-cache'];
/** Beyond either, whole folders are named instead of what is in them. */
const MOST_FOLDERS = 4000;
const MOST_ENTRIES = 200;

/** What exists of submodules and worktrees in a git folder that runs programs or says where such entries are. */
export function nestedProtected(git: string): readonly string[] {
  const nested = isFolder(git) ? NESTED.map((name) => `${git}/${name}`).filter(isFolder) : [];
  try {
    return walk(nested) ?? nested;
  } catch {
    return nested; // What cannot be looked into, or changes meanwhile, is protected whole.
  }
}

/** Undefined when there is more than can be told one by one. */
function walk(nested: readonly string[]): readonly string[] | undefined {
  const found: string[] = [];
  const folders = [...nested];
  // The list grows while it is walked.
  for (const folder of folders) {
    const entries = readdirSync(folder, { withFileTypes: true });
    found.push(...entries.filter(({ name }) => isNestedName(name)).map(({ name }) => `${folder}/${name}`));
    folders.push(...inner(entries, nested.includes(folder)).map(({ name }) => `${folder}/${name}`));
    if (folders.length > MOST_FOLDERS || found.length > MOST_ENTRIES) return undefined;
  }
  return found;
}

/** Only beside a configuration a name means what git means by it: a submodule may be called `refs` as well. */
function inner(entries: readonly Dirent[], isTop: boolean): readonly Dirent[] {
  const isGit = !isTop && entries.some(({ name }) => name === 'config' || name === 'gitdir');
  return entries.filter(
    (entry) => entry.isDirectory() && !isNestedName(entry.name) && !(isGit && BULK.includes(entry.name)),
  );
}

function isFolder(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
  } catch {
    return false; // Not to be reached: then the git folder is closed, and protected as a whole.
  }
}
