import { posix } from 'node:path';
import { placeOf } from '../../app/sandbox/place.ts';
import type { SandboxPolicy } from '../../app/sandbox/policy.ts';
import { verdict } from '../../app/sandbox/verdict.ts';
import { refusesSocket } from '../../app/sandbox/socketHint.ts';

export interface Hint {
  readonly operation: string;
  readonly path?: string;
}

const READ_ONLY = /\bEROFS\b|read-only file system/i;
const FORBIDDEN = /\b(EPERM|EACCES)\b|operation not permitted|permission denied/i;
const QUOTED = /'([^']+)'|"([^"]+)"|‘([^’]+)’/g;
const BARE = /(?:^|[\s:=(])((?:\.{0,2}\/)[^\s:'"‘’,)]+)/g;
/** What a shell says: `bash: line 1: name: Read-only file system`. It did not want to write the path of its own. */
const SHELL =
  /^\S+: (?:line )?\d+: (?:cannot \w+ )?(.+): (?:read-only file system|operation not permitted|permission denied)$/i;
const MOST = 10;

/**
 * Where the error texts of a program speak of something that the policy denies (sandbox.md, Denials). It is a hint, never
 * more: a program may print what it likes. A path that it may write is somebody else's permission and no denial.
 */
export function denialHints(output: string, cwd: string, policy: SandboxPolicy): readonly Hint[] {
  if (policy.mode === 'danger-full-access') return [];
  const hints = new Map<string, Hint>();
  if (refusesSocket(output)) hints.set('socket', { operation: 'socket' });
  for (const line of output.split('\n')) {
    for (const hint of hintsIn(line, cwd, policy)) hints.set(`${hint.operation} ${hint.path ?? ''}`, hint);
    if (hints.size >= MOST) break;
  }
  return [...hints.values()].slice(0, MOST);
}

function hintsIn(line: string, cwd: string, policy: SandboxPolicy): readonly Hint[] {
  if (refusesSocket(line)) return [];
  const readOnly = READ_ONLY.test(line);
  if (!readOnly && !FORBIDDEN.test(line)) return [];
  const paths = pathsIn(line, cwd).filter((path) => isDenied(path, policy));
  if (paths.length > 0) return paths.map((path) => ({ operation: 'write', path }));
  // A read-only file system is ours even where the program does not say which file it meant.
  return readOnly ? [{ operation: 'write' }] : [];
}

function pathsIn(line: string, cwd: string): readonly string[] {
  const said = SHELL.exec(line)?.[1];
  if (said !== undefined) return [posix.resolve(cwd, said)];
  const quoted = [...line.matchAll(QUOTED)].map((found) => found[1] ?? found[2] ?? found[3] ?? '');
  const bare = [...line.matchAll(BARE)].map((found) => found[1] ?? '');
  return [...new Set([...quoted, ...bare].map((path) => posix.resolve(cwd, path)))];
}

function isDenied(path: string, policy: SandboxPolicy): boolean {
  return verdict(placeOf(path, policy), 'write', policy).kind === 'deny';
}
