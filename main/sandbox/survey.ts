import type { BigIntStats } from 'node:fs';
import { lstatSync, readdirSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { isShared, linkedProtected, linkedRoots, sharedFolders, type LinkedGit } from '../../app/sandbox/linkedGit.ts';
import { isWithin } from '../../app/sandbox/place.ts';
import type { SandboxPolicy } from '../../app/sandbox/policy.ts';
import { protectedEntries } from '../../app/sandbox/verdict.ts';
import { nestedProtected } from './nestedGit.ts';

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
  /** Which thing each of `roots`, `pinned` and `guarded` was when it was looked at. */
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
  // What a linked worktree opens was found by its own path, and counts as that and nothing else.
  const linked = linkedRoots(policy.linked).filter((path) => lstatOf(path) !== undefined);
  const roots = unique([...canonical([policy.workspace.path, ...policy.settings.writableRoots]), ...linked]);
  const hidden = canonical(policy.settings.hide);
  const { pinned, guarded } = join(roots.map((root) => guardsOf(root, policy, hidden)));
  return {
    roots,
    pinned,
    guarded,
    identities: new Map([...roots, ...pinned, ...guarded].map((path) => [path, identityOf(lstatOf(path))])),
    hidden: hidden.map((path) => ({ path, folder: statSync(path).isDirectory() })),
    sockets: policy.settings.unixSockets === 'private' ? hostSockets() : [],
    runtime: canonical(runtime),
  };
}

interface Guards {
  readonly pinned: readonly string[];
  readonly guarded: readonly string[];
}

function guardsOf(root: string, policy: SandboxPolicy, hidden: readonly string[]): Guards {
  const { linked, settings } = policy;
  const git = `${root === '/' ? '' : root}/.git`;
  const entries = [...protectedEntries(root, policy), ...nestedProtected(git)];
  const guards = [guardFor(git, root, true), ...entries.map((entry) => guardFor(entry, root))];
  const inside = (path: string) => path !== root && isWithin(path, root);
  const masked = hidden.filter(inside);
  const kept = [
    // Below the root of everything are folders that a sandbox has of its own, and must not get back.
    ...(root === '/' ? [] : masked).map((path) => ({ pinned: between(root, path), guarded: [] })),
    ...settings.hide.filter(inside).map((path) => closedGuard(dirname(path), root)),
    ...(linked && isWithin(root, linked.common) ? [linkedGuards(root, linked)] : []),
  ];
  // A mount in a masked folder would show what it is of.
  const isSeen = (path: string) => !masked.some((each) => isWithin(path, each));
  const all = join([...guards, ...kept]);
  return { pinned: all.pinned.filter(isSeen), guarded: all.guarded.filter(isSeen) };
}

/** Of the folder that all worktrees share everything stays as it is but what git writes there; this worktree's part is open. */
function linkedGuards(root: string, linked: LinkedGit): Guards {
  const { common, entry, whole } = linked;
  if (root !== (whole ? common : entry)) return { pinned: [], guarded: [] };
  const entries = [...linkedProtected(linked).filter((path) => isWithin(path, entry)), ...nestedProtected(entry)];
  const own = join(entries.map((path) => guardFor(path, entry)));
  if (!whole) return own;
  const others = readdirSync(common).filter((name) => !isShared(name) && !name.endsWith('.lock'));
  const folders = sharedFolders(linked).filter((path) => lstatOf(path) !== undefined);
  return join([own, { pinned: [entry, ...folders], guarded: others.map((name) => `${common}/${name}`) }]);
}

function join(guards: readonly Guards[]): Guards {
  return {
    pinned: unique(guards.flatMap((guard) => guard.pinned)),
    guarded: unique(guards.flatMap((guard) => guard.guarded)),
  };
}

/**
 * A mount point can be neither renamed nor replaced, and neither can a folder that is one: so the folders between the
 * root and the entry are pinned. A link cannot be a mount point: the folder that holds it becomes read-only instead,
 * or, where that would be the root itself, what the link leads to.
 */
function guardFor(entry: string, root: string, pin = false): Guards {
  const found = lstatOf(entry);
  if (found === undefined) return closedGuard(dirname(entry), root);
  const parent = dirname(entry);
  if (found.isSymbolicLink()) {
    const guarded =
      parent === root ? canonical([entry]).filter((target) => isWithin(target, root) && target !== root) : [parent];
    return { pinned: between(root, parent), guarded };
  }
  const pinned = between(root, entry);
  return pin && found.isDirectory() ? { pinned: [...pinned, entry], guarded: [] } : { pinned, guarded: [entry] };
}

/**
 * What lies in a folder of ours that we cannot search is not missing: whoever is inside could open the folder again. It
 * stays as it is, closed.
 */
function closedGuard(folder: string, root: string): Guards {
  const found = lstatOf(folder);
  if (found === undefined && folder !== root) return closedGuard(dirname(folder), root);
  if (!found?.isDirectory() || isOpen(folder)) return { pinned: [], guarded: [] };
  return { pinned: between(root, folder), guarded: [folder] };
}

function isOpen(folder: string): boolean {
  try {
    return lstatSync(`${folder}/.`).isDirectory();
  } catch {
    return false; // Whatever the reason: nothing in it can be looked at.
  }
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
  // Only Linux tells.
  if (lstatOf('/proc/net/unix') === undefined) return [];
  const table = readFileSync('/proc/net/unix', 'utf8');
  const paths = table.split('\n').flatMap((line) => /\s(\/.*)$/.exec(line)?.[1] ?? []);
  return canonical(paths);
}

export function canonical(paths: readonly string[]): string[] {
  return unique(paths.flatMap((path) => realPath(path) ?? []));
}

export function realPath(path: string): string | undefined {
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

/** A file or folder whatever its path; a link is none. */
export function identityOf(found: BigIntStats | undefined): string {
  return found && !found.isSymbolicLink() ? `${found.dev}:${found.ino}` : 'none';
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
