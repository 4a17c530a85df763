import { readFileSync } from 'node:fs';
import type { Limits } from '../../app/sandbox/policy.ts';

/** What `prlimit` sets right before the command starts. A limit above the present hard one cannot be raised. */
export function limitArguments(limits: Limits, hard: HardLimits): string[] {
  const wanted = [
    ['data', limits.dataBytes, hard.data],
    ['nproc', limits.processes, hard.processes],
    ['nofile', limits.descriptors, hard.descriptors],
    ['fsize', limits.fileBytes, hard.file],
    ['core', 0, 0],
  ] as const;
  return wanted.map(([name, value, most]) => `--${name}=${Math.min(value, most)}`);
}

export interface HardLimits {
  readonly data: number;
  readonly processes: number;
  readonly descriptors: number;
  readonly file: number;
}

export function hardLimits(): HardLimits {
  const table = readFileSync('/proc/self/limits', 'latin1');
  const of = (title: string): number => {
    const hard = new RegExp(`^Max ${title}\\s+\\S+\\s+(\\d+)`, 'm').exec(table)?.[1];
    return hard === undefined ? Number.MAX_SAFE_INTEGER : Number(hard);
  };
  return { data: of('data size'), processes: of('processes'), descriptors: of('open files'), file: of('file size') };
}
