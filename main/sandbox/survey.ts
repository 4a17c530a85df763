import type { BigIntStats } from 'node:fs';
import { lstat, readFile, realpath, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
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

/** Looks only at what the policy names, right before a launch. Nothing is made or changed. */
export async function surveyOf(policy: SandboxPolicy, runtime: readonly string[]): Promise<Survey> {
  const [roots, hidden, seen, sockets] = await Promise.all([
    canonical(boundRoots(policy)),
    hiddenBy(policy),
    canonical(runtime),
    policy.settings.unixSockets === 'private' ? hostSockets() : [],
  ]);
  const guards = await Promise.all(roots.map((root) => guardsOf(root, policy)));
  const pinned = unique(guards.flatMap((guard) => guard.pinned));
  const found = await Promise.all(
    [...roots, ...pinned].map(async (path) => [path, identityOf(await lstatOf(path))] as const),
  );
  return {
    roots,
    pinned,
    identities: new Map(found),
    guarded: unique(guards.flatMap((guard) => guard.guarded)),
    hidden,
    sockets,
    runtime: seen,
  };
}

interface Guards {
  readonly pinned: readonly string[];
  readonly guarded: readonly string[];
}

async function guardsOf(root: string, policy: SandboxPolicy): Promise<Guards> {
  const git = `${root === '/' ? '' : root}/.git`;
  const guards = await Promise.all([
    guardFor(git, root, true),
    ...protectedEntries(root, policy).map((entry) => guardFor(entry, root)),
  ]);
  return { pinned: guards.flatMap((guard) => guard.pinned), guarded: guards.flatMap((guard) => guard.guarded) };
}

/**
 * A mount point can be neither renamed nor replaced, and neither can a folder that is one: so the folders between the
 * root and the entry are pinned. A link cannot be a mount point: the folder that holds it becomes read-only instead,
 * or, where that would be the root itself, what the link leads to.
 */
async function guardFor(entry: string, root: string, pin = false): Promise<Guards> {
  const found = await lstatOf(entry);
  if (found === undefined) return { pinned: [], guarded: [] };
  const parent = dirname(entry);
  if (found.isSymbolicLink()) {
    const guarded =
      parent === root
        ? (await canonical([entry])).filter((target) => isWithin(target, root) && target !== root)
        : [parent];
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

async function hiddenBy(policy: SandboxPolicy): Promise<Hidden[]> {
  const paths = await canonical(policy.settings.hide);
  const entries = await Promise.all(paths.map(async (path) => ({ path, folder: (await stat(path)).isDirectory() })));
  return entries;
}

/** Sockets with a path that somebody on the host listens on. Those of the Session itself are in its own namespace. */
async function hostSockets(): Promise<string[]> {
  const table = await readFile('/proc/net/unix', 'utf8');
  const paths = table.split('\n').flatMap((line) => /\s(\/.*)$/.exec(line)?.[1] ?? []);
  return canonical(paths);
}

async function canonical(paths: readonly string[]): Promise<string[]> {
  const real = await Promise.all(paths.map((path) => realpath(path).catch(ifMissing)));
  return unique(real.flatMap((path) => path ?? []));
}

async function lstatOf(path: string) {
  return lstat(path, { bigint: true }).catch(ifMissing);
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
