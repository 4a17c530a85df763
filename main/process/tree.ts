import { randomBytes } from 'node:crypto';
import { readdirSync } from 'node:fs';
import type { ProcessIdentity } from '../../app/sandbox/provider.ts';
import { readProc, rowOf, type ProcessRow } from './identity.ts';

/** The variable by which a tree, and the instance of the app that started it, is found again. */
export const MARK = 'GATEHOUSE_TREE';

export function newMark(instance: string): string {
  return `${instance}.${randomBytes(12).toString('hex')}`;
}

/** The instance that made a mark. */
export function instanceOf(mark: string): string {
  return mark.slice(0, mark.lastIndexOf('.'));
}

/**
 * Everything that belongs to a tree: whoever has the mark in its environment, whoever is or descends from a known member,
 * and whoever is in a group that one of those leads. Synchronous: a table read in steps would miss what forks meanwhile.
 */
export function findTree(mark: string, known: Iterable<ProcessIdentity>): ProcessIdentity[] {
  const rows = processTable();
  const members = new Set<number>();
  for (const { pid, startTime } of known) if (rows.get(pid)?.startTime === startTime) members.add(pid);
  for (const { pid } of rows.values()) if (markOf(pid) === mark) members.add(pid);
  for (let size = -1; size !== members.size;) {
    size = members.size;
    for (const row of rows.values()) if (members.has(row.parent) || members.has(row.group)) members.add(row.pid);
  }
  return [...members].flatMap((pid) => rows.get(pid) ?? []).map(({ pid, startTime }) => ({ pid, startTime }));
}

/** The mark that a process was started with; undefined when it has none or is not ours to look at. */
export function markOf(pid: number): string | undefined {
  const prefix = `${MARK}=`;
  return readProc(pid, 'environ')
    ?.split('\0')
    .find((entry) => entry.startsWith(prefix))
    ?.slice(prefix.length);
}

/** All processes that are not dead already. */
export function processTable(): Map<number, ProcessRow> {
  const rows = new Map<number, ProcessRow>();
  for (const name of readdirSync('/proc')) {
    const pid = Number(name);
    const row = Number.isInteger(pid) ? rowOf(pid) : undefined;
    if (row && row.state !== 'Z' && row.state !== 'X') rows.set(pid, row);
  }
  return rows;
}
