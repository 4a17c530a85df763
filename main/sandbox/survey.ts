import type { BigIntStats } from 'node:fs';
import { lstatSync, readdirSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { isShared, linkedProtected, type LinkedGit } from '../../app/sandbox/linkedGit.ts';
import { boundRoots, isWithin } from '../../app/sandbox/place.ts';
import type { SandboxPolicy } from '../../app/sandbox/policy.ts';
import { protectedEntries } from '../../app/sandbox/verdict.ts';

/** What exists on this host of what a policy speaks of. Every path is canonical; what is missing is not in here. */
export interface Survey {
  readonly roots: readonly string[];
  /** Folders inside a writable root that may be written into and not renamed away. */
  readonly pinned: readonly string[];
  /** Protected entries of writable roots. */
  readonly guarded: readonly string[];
  readonly hidden: readonly Hidden[];
  /** Sockets of the host's programs that a process could connect to. */
  readonly sockets: readonly string[];
  readonly runtime: readonly string[];
  /** Which folder each of `roots` and `pinned` was when it was looked at. */
  readonly identities: ReadonlyMap<string, string>;
}

export interface Hidden {
  readonly path: string;
  readonly folder: boolean;
}

/**
 * Looks only at what the policy names, right before a launch. Nothing is made or changed. Synchronous: some sixty looks at
 * a few microseconds each, where a promise for each cost the launch four milliseconds.
 */
export function surveyOf(policy: SandboxPolicy, runtime: readonly string[]): Survey {
  const roots = canonical(boundRoots(policy));
  const guards = roots.map((root) => guardsOf(root, policy));
  const pinned = unique(guards.flatMap((guard) => guard.pinned));
  return {
    roots,
    pinned,
    identities: new Map([...roots, ...pinned].map((path) => [path, identityOf(lstatOf(path))])),
    guarded: unique(guards.flatMap((guard) => guard.guarded)),
    hidden: canonical(policy.settings.hide).map((path) => ({ path, folder: statSync(path).isDirectory() })),
    sockets: policy.settings.unixSockets === 'private' ? hostSockets() : [],
    runtime: canonical(runtime),
  };
}

interface Guards {
  readonly pinned: readonly string[];
  readonly guarded: readonly string[];
}

function guardsOf(root: string, policy: SandboxPolicy): Guards {
  const { linked } = policy;
  if (linked && isWithin(root, linked.common)) return linkedGuards(root, linked);
  const git = `${root === '/' ? '' : root}/.git`;
  const guards = [guardFor(git, root, true), ...protectedEntries(root, policy).map((entry) => guardFor(entry, root))];
  return { pinned: guards.flatMap((guard) => guard.pinned), guarded: guards.flatMap((guard) => guard.guarded) };
}

/** Of the folder that all worktrees share everything stays as it is but what git writes there; this worktree's part is open. */
function linkedGuards(root: string, linked: LinkedGit): Guards {
  const { common, entry, whole } = linked;
  const own = linkedProtected(linked).filter((path) => isWithin(path, entry) && lstatOf(path) !== undefined);
  if (root === entry) return { pinned: [], guarded: own };
  if (!whole || root !== common) return { pinned: [], guarded: [] };
  const others = readdirSync(common).filter((name) => !isShared(name) && !name.endsWith('.lock'));
  return { pinned: [entry], guarded: [...others.map((name) => `${common}/${name}`), ...own] };
}

/**
 * A mount point can be neither renamed nor replaced, and neither can a folder that is one: so the folders between the
 * root and the entry are pinned. A link cannot be a mount point: the folder that holds it becomes read-only instead,
 * or, where that would be the root itself, what the link leads to.
 */
function guardFor(entry: string, root: string, pin = false): Guards {
  const found = lstatOf(entry);
  if (found === undefined) return { pinned: [], guarded: [] };
  const parent = dirname(entry);
  if (found.isSymbolicLink()) {
    const guarded =
      parent === root ? canonical([entry]).filter((target) => isWithin(target, root) && target !== root) : [parent];
    return { pinned: between(root, parent), guarded };
  }
  const pinned = between(root, entry);
  return pin && found.isDirectory() ? { pinned: [...pinned, entry], guarded: [] } : { pinned, guarded: [entry] };
}

/** The folders strictly between `root` and `entry`. */
function between(root: string, entry: string): string[] {
  const folders: string[] = [];
  for (let folder = dirname(entry); folder !== root && isWithin(folder, root); folder = dirname(folder))
    folders.push(folder);
  return folders;
}

/** Sockets with a path that somebody on the host listens on. Those of the Session itself are in its own namespace. */
export function hostSockets(): string[] {
  const table = readFileSync('/proc/net/unix', 'utf8');
  const paths = table.split('\n').flatMap((line) => /\s(\/.*)$/.exec(line)?.[1] ?? []);
  return canonical(paths);
}

function canonical(paths: readonly string[]): string[] {
  return unique(paths.flatMap((path) => realPath(path) ?? []));
}

function realPath(path: string): string | undefined {
  // A path that is not there is the usual case, and an error for each would cost more than the look.
  if (lstatOf(path) === undefined) return undefined;
  try {
    return realpathSync.native(path);
  } catch (fault) {
    return ifMissing(fault);
  }
}

export function lstatOf(path: string): BigIntStats | undefined {
  try {
    return lstatSync(path, { bigint: true, throwIfNoEntry: false });
  } catch (fault) {
    return ifMissing(fault);
  }
}

/** A folder whatever its path; what is no folder, a link above all, is none. */
export function identityOf(found: BigIntStats | undefined): string {
  return found?.isDirectory() ? `${found.dev}:${found.ino}` : 'none';
}

/** What cannot be reached by us cannot be reached from a sandbox either. */
function ifMissing(fault: unknown): undefined {
  const code = fault instanceof Error && 'code' in fault ? fault.code : undefined;
  if (code === 'ENOENT' || code === 'ENOTDIR' || code === 'EACCES' || code === 'ELOOP') return undefined;
  throw fault;
}

function unique(paths: readonly string[]): string[] {
  return [...new Set(paths)].toSorted();
}
