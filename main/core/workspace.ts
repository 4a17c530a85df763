import { realpath, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { isAbsolute, relative } from 'node:path';
import { RequestError } from '../../app/contract/reply.ts';
import type { SandboxPolicy, WorkspaceRoot } from '../../app/sandbox/policy.ts';
import type { Unavailable } from '../../app/sandbox/provider.ts';
import { unavailableText } from '../../app/sandbox/unavailable.ts';
import { rootOf, workspaceFault } from '../sandbox/workspace.ts';

export interface NewWorkspace {
  readonly path: string;
  /** Codes of a refusal that a person has confirmed in so many words. */
  readonly confirmed: readonly string[];
  /** Gatehouse's own data folder. */
  readonly home: string;
}

/** The canonical root of a new Session. Refuses what is no folder, and what nobody should hand to an agent by accident. */
export async function acceptWorkspace({ path, confirmed, home }: NewWorkspace): Promise<string> {
  if (!isAbsolute(path)) throw new RequestError('invalid-input', `workspace must be an absolute path: ${path}`);
  const root = await canonicalFolder(path);
  const open = dangersOf(root, await canonical(home)).filter(({ code }) => !confirmed.includes(code));
  if (open.length > 0) {
    const reasons = open.map(({ code, why }) => `${why} (${code})`).join('; ');
    const confirm = open.map(({ code }) => code);
    throw new RequestError(
      'workspace-refused',
      `${root} is refused as a workspace: ${reasons}. To use it all the same, repeat the request with confirmed: ${JSON.stringify(confirm)}.`,
      { confirm },
    );
  }
  return root;
}

/** The root as it is now; device and inode tell it from a folder that was removed and made again. */
export async function workspaceRoot(path: string): Promise<WorkspaceRoot | Unavailable> {
  const root = await rootOf(path);
  if (root) return root;
  const message = `The workspace folder is missing: ${path}`;
  return {
    kind: 'unavailable',
    code: 'workspace-missing',
    message,
    remedy: 'Put it back, or start a Session elsewhere.',
  };
}

/** Refuses at creation what every launch of this Session would refuse. */
export async function checkWorkspace(policy: SandboxPolicy): Promise<void> {
  const fault = await workspaceFault(policy);
  if (!fault) return;
  const code = fault.code === 'workspace-missing' ? fault.code : 'workspace-refused';
  throw new RequestError(code, unavailableText(fault));
}

interface Danger {
  readonly code: string;
  readonly why: string;
}

function dangersOf(root: string, data: string): readonly Danger[] {
  const dangers: Danger[] = [];
  if (root === '/') dangers.push({ code: 'root', why: 'it is the whole file system' });
  else if (holds(root, homedir())) dangers.push({ code: 'home', why: 'it is your home folder, or above it' });
  if (root !== '/' && (holds(root, data) || holds(data, root))) {
    dangers.push({ code: 'data', why: "it holds Gatehouse's own data, or lies in it" });
  }
  return dangers;
}

/** Whether `inner` is `outer` or lies below it. */
function holds(outer: string, inner: string): boolean {
  const way = relative(outer, inner);
  return way === '' || (!isAbsolute(way) && way !== '..' && !way.startsWith('../'));
}

async function canonicalFolder(path: string): Promise<string> {
  const root = await canonical(path);
  const found = await stat(root).catch(() => undefined);
  if (found?.isDirectory()) return root;
  throw new RequestError(
    'workspace-missing',
    `There is no folder ${path}, or it is none. Make it, or name another workspace.`,
  );
}

async function canonical(path: string): Promise<string> {
  return await realpath(path).catch(() => path);
}
