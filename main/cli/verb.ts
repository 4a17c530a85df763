import type { Readable, Writable } from 'node:stream';
import { parseArgs, type ParseArgsOptionsConfig } from 'node:util';
import type { CoreOptions } from '../core.ts';
import type { Core } from '../coreShape.ts';

/** What the command line ends with (contract.md, Places and switches). */
export const EXIT = { completed: 0, failed: 1, blocked: 2, usage: 64 } as const;
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** One word after `gatehouse`. Data goes to `stdout`, diagnostics to `stderr`. */
export interface Verb {
  readonly name: string;
  /** One line of the list of verbs. */
  readonly summary: string;
  /** What `--help` prints: how to call it, then its options. */
  readonly usage: string;
  run(argv: readonly string[], io: Io): Promise<ExitCode>;
}

/** What a verb may touch of its process. */
export interface Io {
  readonly stdin: Readable;
  readonly stdout: Writable;
  readonly stderr: Writable;
  readonly cwd: string;
  /** Opens the product on its data folder; the verb closes it. */
  openCore(options?: Pick<CoreOptions, 'loginPath'>): Promise<Core>;
  /** A person or the system wants this process to end. */
  readonly signal: AbortSignal;
}

/** The command line itself is wrong; nothing was started. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** `parseArgs`, strict, with its complaints as usage errors. */
export function parse<const O extends ParseArgsOptionsConfig>(argv: readonly string[], options: O) {
  try {
    return parseArgs({ args: [...argv], options, strict: true, allowPositionals: true });
  } catch (fault) {
    if (fault instanceof TypeError) throw new UsageError(fault.message, { cause: fault });
    throw fault;
  }
}

/** The one argument of verbs that take one. */
export function only(positionals: readonly string[], what: string): string {
  const [first, ...more] = positionals;
  if (first === undefined) throw new UsageError(`Missing ${what}`);
  if (more.length > 0) throw new UsageError(`Too many arguments: expected only ${what}`);
  return first;
}

export function none(positionals: readonly string[]): void {
  if (positionals.length > 0) throw new UsageError(`Unexpected argument: ${positionals[0]}`);
}
