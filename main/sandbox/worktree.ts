import { lstatSync, readdirSync, readFileSync, realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { linkedRoots, sharedFolders, type LinkedGit } from '../../app/sandbox/linkedGit.ts';
import { isWithin } from '../../app/sandbox/place.ts';
import type { SandboxPolicy } from '../../app/sandbox/policy.ts';
import { canonical, lstatOf } from './survey.ts';

/** Such files hold one path. */
const LONGEST = 8192;

/**
 * The git folder of a workspace that is a linked worktree of a repository of ours; undefined when its `.git` is none, or
 * points to anything that does not point back to exactly this workspace: whoever writes such a file in a workspace cannot
 * write what it names, so a forged one opens nothing (sandbox.md, Modes). Nothing is changed. Synchronous: it is asked right
 * before a launch, and of a workspace that is no worktree it costs one look.
 */
export function linkedGitOf({ workspace, settings }: SandboxPolicy): LinkedGit | undefined {
  try {
    const found = follow(workspace.path);
    return found && isApart(found.common, settings) ? found : undefined;
  } catch {
    return undefined; // Whatever cannot be read or is not there: it is not one of ours.
  }
}

/** A shared folder around or inside of anything else that a policy speaks of, or around the home folder, is none. */
function isApart(common: string, { hide, writableRoots }: SandboxPolicy['settings']): boolean {
  const others = canonical([...hide, ...writableRoots]).concat(hide, writableRoots);
  return (
    !isWithin(realpathSync(homedir()), common) &&
    !others.some((other) => isWithin(common, other) || isWithin(other, common))
  );
}

function follow(workspace: string): LinkedGit | undefined {
  const pointer = join(workspace, '.git');
  if (!lstatSync(pointer).isFile()) return undefined;
  const named = /^gitdir: (.+)$/.exec(lineOf(pointer))?.[1];
  if (named === undefined) return undefined;
  const entry = realpathSync(resolve(workspace, named));
  const worktrees = dirname(entry);
  const common = dirname(worktrees);
  if (basename(worktrees) !== 'worktrees' || isWithin(common, workspace) || isWithin(workspace, common))
    return undefined;
  const back = resolve(entry, lineOf(join(entry, 'gitdir')));
  const isOurs = basename(back) === '.git' && realpathSync(dirname(back)) === workspace;
  const isShared = realpathSync(resolve(entry, lineOf(join(entry, 'commondir')))) === common;
  const folders = [common, entry, worktrees, join(common, 'objects'), join(common, 'refs')];
  if (!isOurs || !isShared || !isGitFolder(common) || !folders.every(isOwnFolder)) return undefined;
  const linked = { common, entry, whole: isWhole(common) };
  // Only the logs may be missing: a launch opens what is named here, and follows nothing.
  const opened = [...linkedRoots(linked), ...sharedFolders(linked)].filter((path) => lstatOf(path) !== undefined);
  return opened.every(isOwnFolder) ? linked : undefined;
}

function isGitFolder(common: string): boolean {
  return /^(ref: refs\/|[0-9a-f]{40})/.test(lineOf(join(common, 'HEAD'))) && lstatSync(join(common, 'config')).isFile();
}

/** Where hooks or configuration are missing, or anything is a link, it could be made or replaced: no new names there then. */
function isWhole(common: string): boolean {
  const entries = readdirSync(common, { withFileTypes: true });
  const has = (name: string) => entries.some((entry) => entry.name === name);
  return has('hooks') && has('config') && !entries.some((entry) => entry.isSymbolicLink());
}

/** A folder, not a link to one, nor one that is reached through a link. */
function isOwnFolder(path: string): boolean {
  const found = lstatSync(path);
  return found.isDirectory() && found.uid === process.geteuid?.() && realpathSync(path) === path;
}

function lineOf(path: string): string {
  const found = lstatSync(path);
  if (!found.isFile() || found.size > LONGEST) throw new Error(`${path} does not hold a path`);
  return readFileSync(path, 'utf8').replace(/\r?\n$/, '');
}
