import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import type { Duplex } from 'node:stream';
import type { ProcessIdentity } from '../../app/sandbox/provider.ts';
import { identityOf, isAlive, readProc, sacrificeFirst, signalTo } from '../process/identity.ts';
import { until } from '../process/until.ts';
import { spawnPlanned, type Plan, type Spawned } from './descriptors.ts';
import { readStatus, type Status } from './status.ts';
import { closing } from './streams.ts';

/** A bubblewrap that runs, and how to reach its init and its descriptors. */
export interface Launched extends Spawned {
  readonly kind: 'launched';
  readonly init: ProcessIdentity;
  readonly status: Status;
}

/** Nothing ran. `detail` is what the launcher printed. */
export interface LaunchFailure {
  readonly kind: 'failure';
  readonly message: string;
  readonly detail: string;
}

export interface Order extends Omit<Plan, 'argv' | 'cwd'> {
  /** The whole command line, given the numbers of the filter's and the status descriptor. */
  readonly argv: (filter: number, status: number) => readonly string[];
  readonly filter: Buffer;
  /** What is wrong with the sandbox that was built; undefined when it is as ordered. */
  readonly fault: (init: number) => string | undefined;
}

/** A machine under load may take its time; a launcher that is silent this long hangs. */
const START_MS = 15_000;

/**
 * Starts a sandbox. bubblewrap builds it, then waits for the filter: it gets it when the init is known, so that the
 * sandbox cannot outlive us, and when what was built has been checked. Until then nothing of the command has run.
 */
export async function launch(order: Order, signal: AbortSignal): Promise<Launched | LaunchFailure> {
  const filterFd = 3 + order.channels;
  const argv = order.argv(filterFd, filterFd + 1);
  const spawned = await spawnPlanned({ ...order, argv, cwd: '/', channels: order.channels + 2 }, signal);
  if (spawned instanceof Error) return failure(`${argv[0]} could not be started: ${spawned.message}`);
  const [filter, statusStream] = spawned.channels.slice(order.channels);
  if (!filter || !statusStream) throw new Error('A planned descriptor is missing');
  const status = readStatus(statusStream);
  const start = { spawned: { ...spawned, channels: spawned.channels.slice(0, order.channels) }, filter, status, order };
  try {
    return await bringUp(start, signal);
  } catch (fault) {
    await abandon(start);
    if (signal.aborted) throw signal.reason;
    return failure(fault instanceof Error ? fault.message : String(fault));
  }
}

interface Start {
  readonly spawned: Spawned;
  readonly filter: Duplex;
  readonly status: Status;
  readonly order: Order;
}

async function bringUp(start: Start, signal: AbortSignal): Promise<Launched | LaunchFailure> {
  const { spawned, filter, status, order } = start;
  signal.throwIfAborted();
  const pid = await status.init;
  const init = pid === undefined ? undefined : identityOf(pid);
  if (init === undefined) return explain(start);
  const over = () => isOver(spawned.child);
  if (!(await until(() => over() || isBuilt(init.pid), START_MS, signal)))
    throw new Error('The sandbox was not built in time');
  if (over()) return explain(start);
  const fault = order.fault(init.pid);
  if (fault !== undefined) throw new Error(fault);
  // The init has no children yet, so all of them inherit it.
  sacrificeFirst(init.pid);
  filter.end(order.filter);
  const running = () => over() || (readProc(init.pid, `task/${init.pid}/children`) ?? '') !== '';
  if (!(await until(running, START_MS, signal))) throw new Error('The sandbox did not start its command in time');
  if (over() && (await status.exitCode) === undefined) return explain(start);
  // It was read to its end by the launcher, and nothing comes back on it.
  filter.destroy();
  return { kind: 'launched', ...spawned, init, status };
}

/** bubblewrap gives up its capabilities when all is mounted, right before it waits for the filter. */
function isBuilt(init: number): boolean {
  return /^CapEff:\s*0+$/m.test(readProc(init, 'status') ?? '');
}

async function explain({ spawned, filter }: Start): Promise<LaunchFailure> {
  let detail = '';
  spawned.stderr.on('data', (chunk: Buffer) => (detail = `${detail}${chunk.toString()}`.slice(-4096)));
  await closing(spawned.stderr);
  await exitOf(spawned.child);
  closeAll(spawned, filter);
  return failure('The sandbox could not be built', detail.trim());
}

/** The launcher is only killed when its init is known: killed earlier it would leave an init that waits for ever. */
async function abandon({ spawned, status, filter }: Start): Promise<void> {
  const pid = await status.init;
  const init = pid === undefined ? undefined : identityOf(pid);
  if (init) signalTo(init, 'SIGKILL');
  spawned.child.kill('SIGKILL');
  await exitOf(spawned.child);
  if (init) await until(() => !isAlive(init), START_MS);
  closeAll(spawned, filter);
}

function closeAll({ stdin, stdout, stderr, channels }: Spawned, filter: Duplex): void {
  for (const stream of [stdin, stdout, stderr, filter, ...channels]) stream?.destroy();
}

export async function exitOf(child: ChildProcess): Promise<void> {
  if (!isOver(child)) await once(child, 'exit');
}

function isOver({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null;
}

function failure(message: string, detail = ''): LaunchFailure {
  return { kind: 'failure', message, detail };
}
