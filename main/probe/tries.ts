import { realpath, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { boundRoots, TEMP } from '../../app/sandbox/place.ts';
import type { SandboxPolicy } from '../../app/sandbox/policy.ts';
import { claimAt, claimOn, type Probe } from '../../app/sandbox/probe.ts';
import { protectedEntries } from '../../app/sandbox/verdict.ts';
import type { Listeners } from './listeners.ts';

/** What is tried and what its policy says of it. */
export interface Try extends Pick<Probe, 'subject' | 'path' | 'expected'> {
  /** What the process in the sandbox is told; undefined where nothing would hold it back, so that nothing is tried. */
  readonly task: Task | undefined;
}

export type Task =
  | { readonly kind: 'place'; readonly path: string; readonly identity: string }
  | { readonly kind: 'address'; readonly to: Address; readonly word: string };
type Address = { readonly port: number; readonly host: string } | { readonly path: string };

export interface TriesParts {
  readonly policy: SandboxPolicy;
  readonly userHome: string;
  readonly listeners: Listeners;
  /** Of the file that is made. */
  readonly name: string;
}

/** One try for each place that the policy speaks of and that this host has, the first claim on a path counting. */
export async function triesOf(parts: TriesParts): Promise<readonly Try[]> {
  const found = await Promise.all(wantedBy(parts).map((wanted) => placeTry(wanted, parts)));
  const unique = new Map<string, Try>();
  for (const each of found) if (each && !unique.has(each.path)) unique.set(each.path, each);
  return [...unique.values(), ...addressTries(parts)];
}

type Wanted = Pick<Probe, 'subject' | 'path'>;

function wantedBy({ policy, userHome }: TriesParts): readonly Wanted[] {
  const { workspace, settings } = policy;
  const all = (subject: Probe['subject'], paths: readonly string[]): Wanted[] =>
    paths.map((path) => ({ subject, path }));
  return [
    all('workspace', [workspace.path]),
    all('writable-root', settings.writableRoots),
    all(
      'protected',
      boundRoots(policy).flatMap((root) => protectedEntries(root, policy)),
    ),
    all('temp', [TEMP]),
    all('home', [userHome]),
    all('system', ['/etc']),
    all('hidden', settings.hide),
  ].flat();
}

async function placeTry({ subject, path }: Wanted, { policy, name }: TriesParts): Promise<Try | undefined> {
  const canonical = await realpath(path).catch(ifMissing);
  const found = canonical === undefined ? undefined : await stat(canonical, { bigint: true }).catch(ifMissing);
  if (canonical === undefined || found === undefined) return undefined;
  // In place of a protected entry that is a link something else is kept read-only (sandbox.md, Launch details).
  if (subject === 'protected' && canonical !== path) return undefined;
  const expected = claimAt(canonical, found.isDirectory() ? join(canonical, name) : canonical, policy);
  const task = { kind: 'place', path: canonical, identity: `${found.dev}:${found.ino}` } as const;
  return { subject, path: canonical, expected, task: isTried(subject, policy) ? task : undefined };
}

function addressTries({ policy, listeners: { port, socket, word } }: TriesParts): readonly Try[] {
  const tryOf = (subject: 'network' | 'unix-socket', path: string, to: Address): Try => {
    const task = isTried(subject, policy) ? ({ kind: 'address', to, word } as const) : undefined;
    return { subject, path, expected: claimOn(subject, policy), task };
  };
  const host = '127.0.0.1';
  return [
    tryOf('network', `${host}:${port}`, { port, host }),
    ...(socket === undefined ? [] : [tryOf('unix-socket', `@${socket.slice(1)}`, { path: socket })]),
  ];
}

/** Where nothing is confined, nothing outside of the workspace and temp is touched to show what is known anyway. */
function isTried(subject: Probe['subject'], { mode }: SandboxPolicy): boolean {
  return mode !== 'danger-full-access' || subject === 'workspace' || subject === 'temp';
}

/** What we cannot see there is nothing to claim of. */
function ifMissing(fault: unknown): undefined {
  if (fault instanceof Error && 'code' in fault) return undefined;
  throw fault;
}
