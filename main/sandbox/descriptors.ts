import { spawn, type ChildProcess } from 'node:child_process';
import { closeSync, openSync, readdirSync, readSync } from 'node:fs';
import { Socket } from 'node:net';
import type { Duplex, Readable, Writable } from 'node:stream';
import { codeOf } from '../base/codeOf.ts';
import type { Variables } from './environment.ts';
import type { Output, Pipes } from './pipes.ts';

export interface Plan {
  readonly argv: readonly string[];
  readonly env: Variables;
  readonly cwd: string;
  readonly stdin: 'ignore' | 'pipe';
  /** Where the pipes of its output come from. */
  readonly pipes: Pipes;
  /** Descriptors 3, 4, … of the child, each a two-way channel to us. */
  readonly channels: number;
}

export interface Spawned {
  readonly child: ChildProcess;
  readonly stdin: Writable | undefined;
  readonly stdout: Readable;
  readonly stderr: Readable;
  readonly channels: readonly Duplex[];
}

const O_CLOEXEC = 0o2000000;

/**
 * Starts a program that inherits exactly the descriptors of its plan. Close-on-exec is not enough, because only what Node
 * opened itself has it: whatever else would be inherited is `/dev/null` in the child. The look and the start are one
 * synchronous step, and so is the last one at `signal`, which rejects it. The child leads a session of its own, so a signal
 * to our terminal is not one to it. Returns the error when the program cannot be started.
 */
export async function spawnPlanned(plan: Plan, signal?: AbortSignal): Promise<Spawned | Error> {
  signal?.throwIfAborted();
  const output = await plan.pipes.take();
  if (signal?.aborted) {
    for (const { read, write } of [output.stdout, output.stderr]) for (const end of [read, write]) closeSync(end);
    throw signal.reason;
  }
  const child = start(plan, output, plan.pipes.held());
  const [stdout, stderr] = [readEnd(output.stdout), readEnd(output.stderr)];
  if (child instanceof Error) {
    for (const stream of [stdout, stderr]) stream.destroy();
    return child;
  }
  const failed = new Promise<Error>((resolve) => child.once('error', resolve));
  const [stdin, , , ...rest] = child.stdio;
  // Each is a socket pair of ours, so it goes both ways.
  const channels = rest.slice(0, plan.channels) as Duplex[];
  // Node reads and throws away what the pipes of a dead child hold, unless it does not find them.
  Object.defineProperty(child, 'stdio', { value: [] });
  for (const stream of [stdin, stdout, stderr, ...channels]) stream?.on('error', ignoreGone);
  if (child.pid !== undefined) return { child, stdin: stdin ?? undefined, stdout, stderr, channels };
  for (const stream of [stdin, stdout, stderr, ...channels]) stream?.destroy();
  return failed;
}

/** The peer may end at any moment: that is told by its exit, not by a write or read that failed. */
function ignoreGone(): void {}

function readEnd({ read }: Output['stdout']): Socket {
  return new Socket({ fd: read, readable: true, writable: false });
}

function start(
  { argv, env, cwd, stdin, channels }: Plan,
  { stdout, stderr }: Output,
  held: ReadonlySet<number>,
): ChildProcess | Error {
  const [program = '', ...rest] = argv;
  const nothing = openSync('/dev/null', 'r+');
  try {
    const own = [stdin, stdout.write, stderr.write, ...Array<'pipe'>(channels).fill('pipe')];
    const stdio = withoutOurs(own, nothing, held);
    return spawn(program, rest, { env, cwd, stdio, detached: true });
  } catch (fault) {
    // Arguments and environment that are too long together, for one, are thrown and not emitted.
    if (!(fault instanceof Error && 'errno' in fault)) throw fault;
    return codeOf(fault) === 'E2BIG' ? tooLong({ argv, env }, fault) : fault;
  } finally {
    for (const descriptor of [nothing, stdout.write, stderr.write]) closeSync(descriptor);
  }
}

/** What Linux takes, as it is usually set up. */
const LONGEST = 'at most 2 MiB in all, and 128 KiB each';

function tooLong({ argv, env }: Pick<Plan, 'argv' | 'env'>, cause: Error): Error {
  const texts = [...argv, ...Object.entries(env).map(([name, value]) => `${name}=${value}`)];
  const bytes = texts.reduce((sum, text) => sum + Buffer.byteLength(text) + 1, 0);
  return new Error(`its arguments and variables are ${bytes} bytes, and the system takes ${LONGEST} (E2BIG)`, {
    cause,
  });
}

/**
 * The `stdio` of a child that is to have these descriptors and none of ours. `ignore` leaves a descriptor above 2 as it is;
 * only another one in its place takes it away: `nothing`, which the caller has open on `/dev/null`.
 */
export function withoutOurs<Own>(own: readonly Own[], nothing: number, known?: ReadonlySet<number>) {
  const stdio: (Own | 'ignore' | number)[] = [...own];
  for (const leaked of inheritable(known)) {
    if (leaked < own.length) continue;
    while (stdio.length < leaked) stdio.push('ignore');
    stdio.push(nothing);
  }
  return stdio;
}

/** Descriptors above 2 that a child would inherit, in order. Those in `known` are known to close, and not looked at. */
function inheritable(known: ReadonlySet<number> = new Set()): readonly number[] {
  // Elsewhere Node's own close-on-exec has to do.
  if (process.platform !== 'linux') return [];
  const open = readdirSync('/proc/self/fd').map(Number);
  const unknown = open.filter((descriptor) => descriptor > 2 && !known.has(descriptor));
  return unknown.filter((descriptor) => !closesOnExec(descriptor)).toSorted((a, b) => a - b);
}

function closesOnExec(descriptor: number): boolean {
  try {
    const flags = /^flags:\s*([0-7]+)/m.exec(readStart(`/proc/self/fdinfo/${descriptor}`));
    return (Number.parseInt(flags?.[1] ?? '0', 8) & O_CLOEXEC) !== 0;
  } catch {
    return true; // It was the descriptor of the listing itself, closed by now.
  }
}

const start256 = Buffer.alloc(256);

/** The flags stand in the second line. Done for every descriptor before every launch, so it asks for no more than that. */
function readStart(path: string): string {
  const file = openSync(path, 'r');
  try {
    return start256.toString('latin1', 0, readSync(file, start256));
  } finally {
    closeSync(file);
  }
}
