import type { Input } from '../../../app/contract/requests.ts';
import { RequestError } from '../../../app/contract/reply.ts';
import { messageOf } from '../../../app/base/fault.ts';
import type { NewDraft } from './draft.ts';

export type Field = 'folder' | 'preset' | 'script';

/** Why there is no Session yet, and at which field to say so; none: it is about the whole. */
export interface Trouble {
  readonly field?: Field;
  readonly message: string;
  /** What a person may confirm to have it all the same. */
  readonly confirm?: readonly string[];
}

/** What can be told without asking. */
export type Lack = 'folder' | 'absolute' | 'script';

export interface Wish extends Pick<NewDraft, 'folder' | 'preset' | 'agent' | 'script' | 'title'> {
  readonly userHome: string | undefined;
  /** Codes that the person has confirmed for this very folder. */
  readonly confirmed: readonly string[];
}

export function lackOf({
  folder,
  agent,
  script,
  userHome,
}: Wish): { readonly field: Field; readonly lack: Lack } | undefined {
  const path = pathOf(folder, userHome);
  if (path === '') return { field: 'folder', lack: 'folder' };
  if (!isAbsolute(path)) return { field: 'folder', lack: 'absolute' };
  if (agent !== 'script') return undefined;
  const file = pathOf(script, userHome);
  if (file === '') return { field: 'script', lack: 'script' };
  return isAbsolute(file) ? undefined : { field: 'script', lack: 'absolute' };
}

export function inputOf({ folder, preset, agent, script, title, userHome, confirmed }: Wish): Input<'session.create'> {
  const name = title.trim().toWellFormed();
  return {
    workspace: pathOf(folder, userHome),
    preset,
    agent: agent === 'demo' ? 'demo' : `script:${pathOf(script, userHome)}`,
    ...(name !== '' && { title: name }),
    ...(confirmed.length > 0 && { confirmed }),
  };
}

export function troubleOf(fault: unknown): Trouble {
  const message = messageOf(fault);
  if (!(fault instanceof RequestError)) return { message };
  const { code, confirm } = fault;
  switch (code) {
    case 'workspace-missing':
      return { field: 'folder', message };
    case 'workspace-refused':
      return { field: 'folder', message, ...(confirm && { confirm }) };
    case 'unknown-preset':
      return { field: 'preset', message };
    case 'script-invalid':
      return { field: 'script', message };
    default:
      return { message };
  }
}

/** As it is, but for blanks around it and `~` for the home folder, which only shells know. */
export function pathOf(typed: string, userHome: string | undefined): string {
  const path = typed.trim();
  if (userHome === undefined || userHome === '') return path;
  if (path === '~') return userHome;
  return path.startsWith('~/') || path.startsWith('~\\') ? userHome.replace(/[/\\]$/, '') + path.slice(1) : path;
}

function isAbsolute(path: string): boolean {
  return /^(\/|[A-Za-z]:[\\/]|\\\\)/.test(path);
}
