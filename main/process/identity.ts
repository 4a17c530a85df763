import { readFileSync, writeFileSync } from 'node:fs';
import type { ProcessIdentity } from '../../app/sandbox/provider.ts';

/** One row of the process table. `state` is Z for a process that is dead and not yet collected. */
export interface ProcessRow {
  readonly pid: number;
  readonly state: string;
  readonly parent: number;
  readonly group: number;
  readonly startTime: string;
}

/** Undefined when there is no such process. Synchronous: the answer must not be older than what is done with it. */
export function rowOf(pid: number): ProcessRow | undefined {
  const stat = readProc(pid, 'stat');
  if (stat === undefined) return undefined;
  // The name, in parentheses, may hold spaces and parentheses of its own.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [state = '', parent = '', group = ''] = fields;
  return { pid, state, parent: Number(parent), group: Number(group), startTime: fields[19] ?? '' };
}

export function identityOf(pid: number): ProcessIdentity | undefined {
  const row = rowOf(pid);
  return row && { pid, startTime: row.startTime };
}

/** A zombie counts as gone; so does another process that has the pid by now. */
export function isAlive({ pid, startTime }: ProcessIdentity): boolean {
  const row = rowOf(pid);
  return row !== undefined && row.startTime === startTime && row.state !== 'Z' && row.state !== 'X';
}

/** Sends a signal to exactly this process, or to nobody. */
export function signalTo(identity: ProcessIdentity, signal: NodeJS.Signals): void {
  if (isAlive(identity)) send(identity.pid, signal);
}

/** Sends to the group that `identity` leads, while it leads it: the number cannot be another group's then. */
export function signalGroup(identity: ProcessIdentity, signal: NodeJS.Signals): void {
  if (rowOf(identity.pid)?.startTime === identity.startTime) send(-identity.pid, signal);
}

/** Makes it, and whatever it starts from now on, more likely to be ended when the machine runs out of memory. */
export function sacrificeFirst(pid: number): void {
  try {
    writeFileSync(`/proc/${pid}/oom_score_adj`, '500');
  } catch (fault) {
    // A process that is gone needs none of it; one that is going belongs to root already.
    if (!isGone(fault) && codeOf(fault) !== 'EACCES') throw fault;
  }
}

/** A file of `/proc/<pid>`; undefined when the process is gone or belongs to another user. */
export function readProc(pid: number, name: string): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'latin1');
  } catch (fault) {
    if (isGone(fault) || codeOf(fault) === 'EACCES' || codeOf(fault) === 'EPERM') return undefined;
    throw fault;
  }
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (fault) {
    // Gone between the look and the signal.
    if (codeOf(fault) !== 'ESRCH') throw fault;
  }
}

function isGone(fault: unknown): boolean {
  return codeOf(fault) === 'ENOENT' || codeOf(fault) === 'ESRCH';
}

function codeOf(fault: unknown): unknown {
  return fault instanceof Error && 'code' in fault ? fault.code : undefined;
}
