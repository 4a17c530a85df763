import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import type { Duplex, Readable, Writable } from 'node:stream';
import type { ProcessIdentity } from '../../app/sandbox/provider.ts';
import { identityOf, isAlive, readProc, signalTo } from '../process/identity.ts';
import { until } from '../process/until.ts';
import { spawnPlanned } from './descriptors.ts';
import type { Variables } from './environment.ts';
import { readStatus, type Status } from './status.ts';

/** A bubblewrap that runs, and how to reach its init and its descriptors. */
export interface Launched {
  readonly kind: 'launched';
  readonly child: ChildProcess;
  readonly init: ProcessIdentity;
  readonly status: Status;
  readonly stdin: Writable | undefined;
  readonly stdout: Readable;
  readonly stderr: Readable;
  readonly channels: readonly Duplex[];
}

/** Nothing ran. `detail` is what the launcher printed. */
export interface LaunchFailure {
  readonly kind: 'failure';
  readonly message: string;
  readonly detail: string;
}

export interface Order {
  /** The whole command line, given the numbers of the filter's and the status descriptor. */
  readonly argv: (filter: number, status: number) => readonly string[];
  readonly env: Variables;
  readonly stdin: 'ignore' | 'pipe';
  readonly channels: number;
  readonly filter: Buffer;
  /** Whether the sandbox is built as ordered; asked again while it is being built. Throws when it is built otherwise. */
  readonly isBuilt: (init: number) => Promise<boolean>;
}

/** A machine under load may take its time; a launcher that is silent this long hangs. */
const START_MS = 15_000;

/**
 * Starts a sandbox. bubblewrap builds it, then waits for the filter: it gets it when the init is known, so that the
 * sandbox cannot outlive us, and when what was built has been checked. Until then nothing of the command has run.
 */
export async function launch(order: Order, signal: AbortSignal): Promise<Launched | LaunchFailure> {
  signal.throwIfAborted();
  const filterFd = 3 + order.channels;
  const argv = order.argv(filterFd, filterFd + 1);
  const child = spawnPlanned({ argv, env: order.env, cwd: '/', stdin: order.stdin, pipes: order.channels + 2 });
  const failed = new Promise<Error>((resolve) => child.once('error', resolve));
  if (child.pid === undefined) return failure(`${argv[0]} could not be started: ${(await failed).message}`);
  const streams = streamsOf(child, order.channels);
  const status = readStatus(streams.status);
  try {
    return await bringUp({ child, status, streams, order, signal });
  } catch (fault) {
    await abandon(child, status);
    if (signal.aborted) throw signal.reason;
    return failure(fault instanceof Error ? fault.message : String(fault));
  }
}

interface Start {
  readonly child: ChildProcess;
  readonly status: Status;
  readonly streams: Streams;
  readonly order: Order;
  readonly signal: AbortSignal;
}

async function bringUp({ child, status, streams, order, signal }: Start): Promise<Launched | LaunchFailure> {
  const pid = await status.init;
  const init = pid === undefined ? undefined : identityOf(pid);
  if (init === undefined) return explain(child, streams);
  const over = () => child.exitCode !== null || child.signalCode !== null;
  const built = await until(async () => over() || order.isBuilt(init.pid), START_MS, signal);
  if (over()) return explain(child, streams);
  if (!built) throw new Error('The sandbox was not built in time');
  streams.filter.end(order.filter);
  const running = () => over() || (readProc(init.pid, `task/${init.pid}/children`) ?? '') !== '';
  if (!(await until(running, START_MS, signal))) throw new Error('The sandbox did not start its command in time');
  if (over() && (await status.exitCode) === undefined) return explain(child, streams);
  const { stdin, stdout, stderr, channels } = streams;
  return { kind: 'launched', child, init, status, stdin, stdout, stderr, channels };
}

interface Streams {
  readonly stdin: Writable | undefined;
  readonly stdout: Readable;
  readonly stderr: Readable;
  readonly channels: readonly Duplex[];
  readonly filter: Duplex;
  readonly status: Duplex;
}

function streamsOf(child: ChildProcess, channels: number): Streams {
  const [stdin, stdout, stderr, ...pipes] = child.stdio;
  // Every pipe above 2 is a socket pair of ours, so it goes both ways.
  const duplex = pipes.slice(0, channels + 2) as Duplex[];
  const [filter, status] = duplex.slice(channels);
  if (!stdout || !stderr || !filter || !status) throw new Error('A planned descriptor is missing');
  for (const stream of [stdin, filter, ...duplex]) stream?.on('error', ignorePeerGone);
  // Node gives the pipe of descriptors 1 and 2 as readable streams.
  return {
    stdin: stdin ?? undefined,
    stdout: stdout as Readable,
    stderr: stderr as Readable,
    channels: duplex.slice(0, channels),
    filter,
    status,
  };
}

/** The peer may end at any moment; its end is told by `exited`, not by a write that failed. */
function ignorePeerGone(): void {}

async function explain(child: ChildProcess, { stderr }: Streams): Promise<LaunchFailure> {
  let detail = '';
  stderr.setEncoding('utf8');
  for await (const chunk of stderr) detail = `${detail}${String(chunk)}`.slice(-4096);
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  closeAll(child);
  return { kind: 'failure', message: 'The sandbox could not be built', detail: detail.trim() };
}

/** The launcher is only killed when its init is known: killed earlier it would leave an init that waits for ever. */
async function abandon(child: ChildProcess, status: Status): Promise<void> {
  const pid = await status.init;
  const init = pid === undefined ? undefined : identityOf(pid);
  if (init) signalTo(init, 'SIGKILL');
  if (child.exitCode === null && child.signalCode === null) {
    child.kill('SIGKILL');
    await once(child, 'exit');
  }
  if (init) await until(() => !isAlive(init), START_MS);
  closeAll(child);
}

function closeAll(child: ChildProcess): void {
  for (const stream of child.stdio) stream?.destroy();
}

function failure(message: string, detail = ''): LaunchFailure {
  return { kind: 'failure', message, detail };
}
