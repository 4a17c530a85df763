import { stat } from 'node:fs/promises';
import type { SandboxPolicy, WorkspaceRoot } from '../../app/sandbox/policy.ts';
import type { Unavailable } from '../../app/sandbox/provider.ts';

/** The folder as a Session records it; undefined when it is not a folder. `path` is canonical already. */
export async function rootOf(path: string): Promise<WorkspaceRoot | undefined> {
  const found = await folderAt(path);
  return found && { path, device: found.device, inode: found.inode };
}

/** Why this policy's workspace cannot be used as it is now; undefined when it can. */
export async function workspaceFault(policy: SandboxPolicy): Promise<Unavailable | undefined> {
  const { path, device, inode } = policy.workspace;
  const found = await folderAt(path);
  if (found?.device !== device || found.inode !== inode) {
    const what = found === undefined ? 'is missing' : 'was removed and made again';
    return { kind: 'unavailable', code: 'workspace-missing', message: `The workspace folder ${path} ${what}` };
  }
  if (path === '/tmp' && policy.mode !== 'danger-full-access') {
    const message = 'The workspace /tmp is where the private temp of a Session goes';
    return { kind: 'unavailable', code: 'SANDBOX_UNAVAILABLE', message, remedy: 'Use a folder below /tmp instead.' };
  }
  if (policy.mode !== 'workspace-write' || found.owner === process.geteuid?.()) return undefined;
  return {
    kind: 'unavailable',
    code: 'SANDBOX_UNAVAILABLE',
    message: `The workspace folder ${path} belongs to another user, so nothing inside a sandbox could write it`,
    remedy: 'Use read-only, or make the folder your own (chown).',
  };
}

/** Whether the workspace belongs to the user that the app runs as. */
export async function isOwned(path: string): Promise<boolean> {
  return (await folderAt(path))?.owner === process.geteuid?.();
}

interface Folder {
  readonly device: string;
  readonly inode: string;
  readonly owner: number;
}

export async function folderAt(path: string): Promise<Folder | undefined> {
  try {
    const found = await stat(path, { bigint: true });
    if (!found.isDirectory()) return undefined;
    return { device: String(found.dev), inode: String(found.ino), owner: Number(found.uid) };
  } catch (fault) {
    // A folder that cannot be looked at cannot be worked in.
    if (fault instanceof Error && 'code' in fault) return undefined;
    throw fault;
  }
}
