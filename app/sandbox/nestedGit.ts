/** Entries of a git folder that run programs or say where such entries are. */
export const GIT_PROTECTED = ['hooks', 'config', 'config.worktree', 'commondir'] as const;
/** Where a git folder keeps those of its submodules, and what is other worktrees' alone. */
export const NESTED = ['modules', 'worktrees'] as const;
const NESTED_PROTECTED: readonly string[] = [...GIT_PROTECTED, 'gitdir'];

/** Whether a name anywhere in such a folder may be one of those entries. */
export function isNestedName(name: string): boolean {
  return NESTED_PROTECTED.includes(name);
}

/** Whether a path is, or lies in, such an entry of a git folder that `git` holds. Judged by names: it need not exist. */
export function isNestedProtected(path: string, git: string): boolean {
  const nested = NESTED.map((name) => `${git}/${name}/`).find((folder) => path.startsWith(folder));
  return nested !== undefined && path.slice(nested.length).split('/').some(isNestedName);
}
