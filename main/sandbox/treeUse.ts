import { readdir, readFile } from 'node:fs/promises';
import type { Limits } from '../../app/sandbox/policy.ts';
import { sharedMemory, type Holder } from './sharedMemory.ts';

/** What the processes of one sandbox have in use at one look. */
export interface TreeUse {
  /** Processes with their threads, the init of the sandbox aside. */
  readonly tasks: number;
  /** Resident memory; a page that several processes share counts in parts where it matters. */
  readonly memoryBytes: number;
}

/** Read at once: enough to be quick, few enough to leave the threads of Node to others. */
const BATCH = 16;

/**
 * Looks at every process below an init through the process table of the sandbox itself, which has all of them whatever
 * thread started them, and nobody else. Undefined when the sandbox is gone.
 */
export async function treeUse(
  init: number,
  limits: Pick<Limits, 'memoryBytes' | 'processes'>,
): Promise<TreeUse | undefined> {
  const table = `/proc/${init}/root/proc`;
  const names = await readdir(table).catch(ifGone);
  if (names === undefined) return undefined;
  const pids = names.filter((name) => /^\d+$/.test(name) && name !== '1');
  // More processes than may be: what each of them has in memory does not matter any more.
  if (pids.length > limits.processes) return { tasks: pids.length, memoryBytes: 0 };
  const rows = await inBatches(pids, (pid) => statusOf(`${table}/${pid}`));
  const tasks = sum(rows.map((row) => row.threads));
  const most = sum(rows.map((row) => row.memoryBytes));
  // What processes share is counted for each of them here: only beyond the limit it is worth to look closer.
  if (most <= limits.memoryBytes) return { tasks, memoryBytes: most };
  const holders = rows.map((row, at) => ({ folder: `${table}/${pids[at]}`, most: row.memoryBytes }));
  return {
    tasks,
    memoryBytes: await sharedMemory(holders, limits.memoryBytes, (holder) => inTurn(() => shareOf(holder))),
  };
}

interface Row {
  readonly threads: number;
  readonly memoryBytes: number;
}

async function statusOf(folder: string): Promise<Row> {
  const status = await readFile(`${folder}/status`, 'latin1').catch(ifGone);
  if (status === undefined) return { threads: 0, memoryBytes: 0 };
  return { threads: Math.max(1, numberIn(status, 'Threads')), memoryBytes: numberIn(status, 'VmRSS') * 1024 };
}

/** Its part of what it shares, which the kernel counts page by page. A process may forbid that: then all of it counts. */
async function shareOf({ folder }: Holder): Promise<number> {
  const rollup = await readFile(`${folder}/smaps_rollup`, 'latin1').catch(ifGone);
  return rollup === undefined ? (await statusOf(folder)).memoryBytes : numberIn(rollup, 'Pss') * 1024;
}

let turn: Promise<unknown> = Promise.resolve();

/** One at a time over all sandboxes, in the order in which they ask: each may hold a thread of Node for long. */
function inTurn<Out>(work: () => Promise<Out>): Promise<Out> {
  const done = turn.then(work);
  turn = done.catch(() => undefined);
  return done;
}

function numberIn(text: string, name: string): number {
  return Number(new RegExp(`^${name}:\\s*(\\d+)`, 'm').exec(text)?.[1] ?? 0);
}

async function inBatches<In, Out>(items: readonly In[], look: (item: In) => Promise<Out>): Promise<Out[]> {
  const seen: Out[] = [];
  for (let at = 0; at < items.length; at += BATCH) {
    seen.push(...(await Promise.all(items.slice(at, at + BATCH).map(look))));
  }
  return seen;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

/** Processes end while they are looked at, and some are not ours to look into. */
function ifGone(fault: unknown): undefined {
  const code = fault instanceof Error && 'code' in fault ? fault.code : undefined;
  if (code === 'ENOENT' || code === 'ESRCH' || code === 'EACCES' || code === 'EPERM') return undefined;
  throw fault;
}
