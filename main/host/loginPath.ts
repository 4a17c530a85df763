import { spawn, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { userInfo } from 'node:os';
import { isAbsolute } from 'node:path';
import { codeOf } from '../base/codeOf.ts';

/** `late`: the profile takes too long, and was ended. `none`: there is no such shell, or it did not say. */
export type LoginPath =
  | { readonly kind: 'found'; readonly path: string }
  | { readonly kind: 'late'; readonly shell: string; readonly ms: number }
  | { readonly kind: 'none' };

export interface LoginShell {
  /** The shell that a login of this user starts; undefined where there is none to ask. */
  readonly shell: string | undefined;
  readonly variables: NodeJS.ProcessEnv;
  readonly ms: number;
}

const GIVE_UP_MS = 10_000;
/** What profiles print before the answer; more is no profile. */
const MOST_OUTPUT = 1024 * 1024;

export function loginShellOf(variables: NodeJS.ProcessEnv, platform: NodeJS.Platform): LoginShell {
  const shell = platform === 'win32' ? undefined : variables['SHELL'] || (userInfo().shell ?? undefined);
  return { shell, variables, ms: GIVE_UP_MS };
}

/**
 * The PATH that a person's profile makes, which an app that is started by its icon does not have. The shell gets no input
 * and no terminal, and nothing but PATH is taken from it. When it resolves, nothing of the shell itself is left.
 */
export async function loginPath({ shell, variables, ms }: LoginShell, signal: AbortSignal): Promise<LoginPath> {
  if (shell === undefined || !isAbsolute(shell) || signal.aborted) return { kind: 'none' };
  const marker = `gatehouse-${randomBytes(12).toString('hex')}`;
  // With what the shell itself has: a profile may leave a PATH on which there is nothing.
  const command = `printf '\\n%s\\n' ${marker}; printf '%s\\n' "$PATH" ${marker}`;
  // As a group of its own it is ended with what its profile started, and has no terminal to stop at.
  const child = spawn(shell, ['-ilc', command], {
    env: variables,
    stdio: ['ignore', 'pipe', 'ignore'],
    detached: true,
  });
  const timeout = AbortSignal.timeout(ms);
  const exit = exitOf(child);
  try {
    const path = await Promise.race([answerOf(child, marker), aborted(AbortSignal.any([signal, timeout]))]);
    if (path !== undefined) return { kind: 'found', path };
    return timeout.aborted && !signal.aborted ? { kind: 'late', shell, ms } : { kind: 'none' };
  } finally {
    endGroup(child);
    child.stdout.destroy();
    await exit;
  }
}

/** What stands between the last two markers, as far as it can be used. Undefined: no whole answer is there. */
export function pathIn(output: string, marker: string): string | undefined {
  if (!isWhole(output, marker)) return undefined;
  const folders = (output.split(`${marker}\n`).at(-2) ?? '').trim().split(':').filter(isAbsolute);
  return folders.length > 0 ? folders.join(':') : undefined;
}

function isWhole(output: string, marker: string): boolean {
  return output.split(`${marker}\n`).length >= 3;
}

/** `own` as it is, and behind it the folders that only `more` has. */
export function widened(own: string, more: string | undefined): string {
  const known = new Set(['', ...own.split(':')]);
  const added = new Set((more ?? '').split(':').filter((folder) => !known.has(folder)));
  return [...(own === '' ? [] : [own]), ...added].join(':');
}

function answerOf(child: ChildProcess, marker: string): Promise<string | undefined> {
  const { promise, resolve } = Promise.withResolvers<string | undefined>();
  let output = '';
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    output = (output + text).slice(-MOST_OUTPUT);
    if (isWhole(output, marker)) resolve(pathIn(output, marker));
  });
  // What was printed last is read after the end of the shell.
  child.once('close', () => resolve(undefined)).once('error', () => resolve(undefined));
  return promise;
}

/** Also where it could not be started at all. */
async function exitOf(child: ChildProcess): Promise<undefined> {
  if (child.pid === undefined) await once(child, 'error').catch(() => undefined);
  else await once(child, 'exit');
}

async function aborted(signal: AbortSignal): Promise<undefined> {
  if (!signal.aborted) await once(signal, 'abort');
}

function endGroup({ pid }: ChildProcess): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch (fault) {
    if (codeOf(fault) !== 'ESRCH') throw fault;
  }
}
