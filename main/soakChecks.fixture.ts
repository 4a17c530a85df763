import { readdirSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { SessionEvent } from '../app/session/events.ts';
import { rowOf } from './process/identity.ts';

/** What is left of a closed World on this machine, where there should be nothing. */
export async function left(home: string, before: Own): Promise<readonly string[]> {
  const places = ['temp', 'instances'].map(async (name) => {
    const entries = await readdir(join(home, name));
    return entries.map((entry) => `${join(home, name, entry)} is left`);
  });
  const now = own();
  const children = now.children.filter((pid) => !before.children.includes(pid));
  const more = now.descriptors - before.descriptors;
  return [
    ...(await Promise.all(places)).flat(),
    ...children.map((pid) => `The process ${pid} is left, ${rowOf(pid)?.state}`),
    ...(more > 0 ? [`${more} more descriptors than before`] : []),
  ];
}

export interface Own {
  readonly children: readonly number[];
  readonly descriptors: number;
}

/** Of this very process, in which the core runs. One that is dead and not collected counts. */
export function own(): Own {
  const children = readdirSync('/proc')
    .map(Number)
    .filter((pid) => rowOf(pid)?.parent === process.pid);
  return { children, descriptors: readdirSync('/proc/self/fd').length };
}

export function countsOf(events: readonly SessionEvent[]): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const { type } of events) counts[type] = (counts[type] ?? 0) + 1;
  return counts;
}

/** What begins in a log, what ends it exactly once, and by which member it is known. */
const PAIRS = [
  ['approval/asked', 'approval/decided', 'approvalId'],
  ['tool/call', 'tool/result', 'callId'],
  ['tool/nested-start', 'tool/nested-result', 'callId'],
  ['turn/start', 'turn/end', 'turn'],
  ['cleanup/asked', 'cleanup/ended', 'cleanupId'],
  ['environment/started', 'environment/ended', 'environmentId'],
  ['job/started', 'job/ended', 'jobId'],
] as const;

export function unpaired(events: readonly SessionEvent[], index: number): readonly string[] {
  const ids = (type: SessionEvent['type'], name: string) =>
    events
      .filter((event) => event.type === type)
      .map(({ data }) => String((data as Readonly<Record<string, unknown>>)[name])) // By its type.
      .toSorted();
  const failed = events.filter(({ type, data }) => type === 'cleanup/ended' && data.failed !== undefined);
  const odd = PAIRS.flatMap(([begin, end, name]) => {
    const [begun, ended] = [ids(begin, name).join(' '), ids(end, name).join(' ')];
    return begun === ended ? [] : [`Session ${index}: ${begin} ${begun}, but ${end} ${ended}`];
  });
  return [...odd, ...failed.map((event) => `Session ${index}: ${JSON.stringify(event)}`)];
}
