import type { ConfinedMode } from './mode.ts';
import type { LaunchSettings } from './policy.ts';
import type { Operation } from './verdict.ts';

/** Folders that a policy speaks of, wherever a test has them: all exist, with what the rows below name in them. */
export interface Scene {
  readonly workspace: string;
  /** A writable root. */
  readonly extra: string;
  readonly hidden: string;
  readonly outside: string;
  /** The private temp as a confined process calls it. */
  readonly temp: string;
}

export interface Row {
  readonly operation: Operation;
  /** What is there: to write a new one is to make it, to write a folder is to rename it. */
  readonly what: 'file' | 'folder' | 'new';
  readonly path: (scene: Scene) => string;
  readonly verdicts: Readonly<Record<ConfinedMode, 'allow' | 'deny'>>;
}

const always = { 'read-only': 'allow', 'workspace-write': 'allow' } as const;
const never = { 'read-only': 'deny', 'workspace-write': 'deny' } as const;
const byMode = { 'read-only': 'deny', 'workspace-write': 'allow' } as const;

const row = (operation: Operation, what: Row['what'], path: Row['path'], verdicts: Row['verdicts']): Row => ({
  operation,
  what,
  path,
  verdicts,
});

/** Operation, place and verdict: what every Provider must hold to, and the file tools as well (sandbox.md, Backends). */
export const VERDICTS: readonly Row[] = [
  row('read', 'file', ({ workspace }) => `${workspace}/file`, always),
  row('write', 'file', ({ workspace }) => `${workspace}/file`, byMode),
  row('write', 'new', ({ workspace }) => `${workspace}/new`, byMode),
  row('write', 'folder', ({ workspace }) => `${workspace}/sub`, byMode),
  row('write', 'new', ({ extra }) => `${extra}/new`, byMode),
  row('read', 'file', ({ outside }) => `${outside}/file`, always),
  row('write', 'file', ({ outside }) => `${outside}/file`, never),
  row('write', 'new', ({ outside }) => `${outside}/new`, never),
  row('write', 'new', ({ workspace }) => `${workspace}-evil/new`, never),
  row('write', 'new', () => '/etc/gatehouse-new', never),
  row('read', 'file', ({ workspace }) => `${workspace}/.git/config`, always),
  row('write', 'file', ({ workspace }) => `${workspace}/.git/config`, never),
  row('write', 'folder', ({ workspace }) => `${workspace}/.git/hooks`, never),
  row('write', 'new', ({ workspace }) => `${workspace}/.git/hooks/new`, never),
  row('write', 'file', ({ workspace }) => `${workspace}/.git/hooks/pre-commit`, never),
  row('write', 'folder', ({ workspace }) => `${workspace}/.git`, never),
  row('write', 'file', ({ workspace }) => `${workspace}/.git/HEAD`, byMode),
  row('write', 'new', ({ workspace }) => `${workspace}/.git/index.lock`, byMode),
  row('write', 'new', ({ workspace }) => `${workspace}/.vscode/new`, never),
  row('write', 'folder', ({ workspace }) => `${workspace}/.vscode`, never),
  row('write', 'new', ({ workspace }) => `${workspace}/sub/.vscode/new`, byMode),
  row('read', 'file', ({ hidden }) => `${hidden}/file`, never),
  row('write', 'new', ({ hidden }) => `${hidden}/new`, never),
  row('read', 'file', ({ workspace }) => `${workspace}/secrets/file`, never),
  row('write', 'new', ({ workspace }) => `${workspace}/secrets/new`, never),
  row('read', 'file', ({ hidden }) => `${hidden}/open/file`, always),
  row('write', 'new', ({ hidden }) => `${hidden}/open/new`, byMode),
  row('write', 'new', ({ temp }) => `${temp}/new`, always),
  row('write', 'file', () => '/dev/null', always),
];

/** The settings that the verdicts hold under. */
export function settingsOf({ workspace, extra, hidden }: Scene) {
  return {
    writableRoots: [extra, `${hidden}/open`],
    hide: [hidden, `${workspace}/secrets`],
    protectedNames: ['.vscode'],
  } satisfies Partial<LaunchSettings>;
}

export const nameOf = ({ operation, what, path }: Row): string => {
  const at = path({ workspace: 'W', extra: 'X', hidden: 'H', outside: 'O', temp: 'T' });
  return `${operation} the ${what} ${at}`;
};
