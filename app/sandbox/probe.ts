import { z } from 'zod';
import { assertNever } from '../base/never.ts';
import { placeOf, TEMP } from './place.ts';
import type { SandboxPolicy } from './policy.ts';
import { verdict } from './verdict.ts';

/** What a probe tries: one place of each kind that a policy says something of, and the two ways out that are no files. */
export const SUBJECTS = [
  'workspace',
  'writable-root',
  'protected',
  'temp',
  'home',
  'system',
  'hidden',
  'network',
  'unix-socket',
] as const;
export type Subject = (typeof SUBJECTS)[number];

/**
 * What came of trying, in the words that the policy's claim is told in. Two questions decide of a file or folder: is what
 * stands there the host's own, and can it be written.
 * - `written`: the host's, and it can be: a file was made and removed again, or an existing one opened for writing
 * - `denied`: the host's, and it cannot be written
 * - `private`: something else stands there that only this Session has, and it can be written
 * - `hidden`: nothing of the host's is seen there
 * - `reached`, `blocked`: what listens on the host could be connected to, or not
 * - `untried`: deliberately not tried, because nothing would have held it back
 * - `unclear`: it failed in a way that says nothing about the sandbox
 */
export const FINDINGS = ['written', 'denied', 'private', 'hidden', 'reached', 'blocked', 'untried', 'unclear'] as const;
export type Finding = (typeof FINDINGS)[number];
/** What a policy can promise. */
export type Claim = Exclude<Finding, 'untried' | 'unclear'>;

/** One harmless try in a Session's own sandbox, next to what its policy says of it (ui.md, What the window never claims). */
export interface Probe {
  readonly subject: Subject;
  /** As seen from inside; an address where it is no file. */
  readonly path: string;
  readonly expected: Claim;
  readonly observed: Finding;
  /** The code of the operating system, where it refused. */
  readonly detail?: string;
}

export type Answer = Pick<Probe, 'observed' | 'detail'>;

const answer = z.object({ observed: z.enum(FINDINGS), detail: z.string().exactOptional() });

/** What the process in the sandbox said of one try; undefined when that is no answer. */
export function readAnswer(said: unknown): Answer | undefined {
  const read = answer.safeParse(said);
  return read.success ? read.data : undefined;
}

/**
 * What the policy says of a place of the host. `entry` is what is written there: a new file in it when it is a folder,
 * itself when it is a file. Both are canonical.
 */
export function claimAt(path: string, entry: string, policy: SandboxPolicy): Claim {
  const place = placeOf(path, policy);
  if (verdict(place, 'read', policy).kind === 'deny') return 'hidden';
  const isWritable = verdict(placeOf(entry, policy), 'write', policy).kind === 'allow';
  if (place.kind === 'host') return isWritable ? 'written' : 'denied';
  // What the host has below its own `/tmp` is not seen from a sandbox, which has another.
  return path === TEMP && isWritable ? 'private' : 'hidden';
}

/** What the policy says of a program of the host that listens on loopback, or on a local socket. */
export function claimOn(way: 'network' | 'unix-socket', { mode, settings }: SandboxPolicy): Claim {
  if (mode === 'danger-full-access') return 'reached';
  switch (way) {
    case 'network':
      return settings.network === 'host' ? 'reached' : 'blocked';
    case 'unix-socket':
      // `private` allows sockets among the Session's own processes, never those of the host.
      return 'blocked';
    default:
      return assertNever(way);
  }
}
