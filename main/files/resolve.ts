import { lstat, readlink } from 'node:fs/promises';
import { posix } from 'node:path';
import type { Place } from '../../app/sandbox/place.ts';
import type { FileFailure } from '../../app/tool/ports.ts';
import { codeOf, toDenial } from './fault.ts';
import type { View } from './view.ts';

/** Where a path leads once every existing link is followed. `missing` are its last components that do not exist. */
export interface Resolved {
  readonly kind: 'resolved';
  readonly place: Place;
  readonly missing: readonly string[];
}

const MAX_LINKS = 40;

/**
 * Follows `path` as a process inside the sandbox would: an absolute link is taken from the inside root, so `/tmp` in a
 * link is the private temp. Nothing is expanded: `~` is a name.
 */
export async function resolve(path: string, view: View): Promise<Resolved | FileFailure> {
  if (path.includes('\0')) return { kind: 'not-found', path };
  const absolute = path.startsWith('/') ? path : `${view.policy.workspace.path}/${path}`;
  const walk: Walk = { current: '/', missing: [], left: namesOf(absolute), links: 0 };
  while (walk.left.length > 0) {
    const failure = await step(walk, view);
    if (failure) return failure.kind === 'not-found' ? { ...failure, path } : failure;
  }
  return { kind: 'resolved', place: view.place(posix.join(walk.current, ...walk.missing)), missing: walk.missing };
}

interface Walk {
  /** Canonical and existing. */
  current: string;
  /** Names below `current` that do not exist. */
  readonly missing: string[];
  readonly left: string[];
  links: number;
}

async function step(walk: Walk, view: View): Promise<FileFailure | undefined> {
  const name = walk.left.shift() ?? '.';
  if (name === '..') {
    // Behind a name that does not exist it can only take that name back.
    if (walk.missing.pop() === undefined) walk.current = posix.dirname(walk.current);
    return undefined;
  }
  if (walk.missing.length > 0) return void walk.missing.push(name);
  const next = posix.join(walk.current, name);
  const found = await look(next, view);
  if (typeof found === 'object') return found;
  if (found === 'nothing') walk.missing.push(name);
  else if (found === 'plain') walk.current = next;
  else return follow(next, walk, view);
  return undefined;
}

async function follow(link: string, walk: Walk, view: View): Promise<FileFailure | undefined> {
  walk.links += 1;
  if (walk.links > MAX_LINKS) return { kind: 'denied', path: link, reason: 'too many symbolic links' };
  const target = await readlink((await hostPath(link, view)) ?? link);
  if (target.startsWith('/')) walk.current = '/';
  walk.left.unshift(...namesOf(target));
  return undefined;
}

async function look(path: string, view: View): Promise<'plain' | 'link' | 'nothing' | FileFailure> {
  if (view.leadsToRoot(path)) return 'plain';
  const host = await hostPath(path, view);
  if (host === undefined) return 'nothing';
  try {
    return (await lstat(host)).isSymbolicLink() ? 'link' : 'plain';
  } catch (fault) {
    if (codeOf(fault) === 'ENOENT') return 'nothing';
    return codeOf(fault) === 'ENOTDIR' ? { kind: 'not-found', path } : toDenial(fault, path);
  }
}

async function hostPath(path: string, view: View): Promise<string | undefined> {
  const base = await view.base(view.place(path));
  return base && posix.join(base.folder, ...base.names);
}

function namesOf(path: string): string[] {
  return path.split('/').filter((name) => name !== '' && name !== '.');
}
