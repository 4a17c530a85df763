import type { Writable } from 'node:stream';

/** For whoever looks into it: with its stack, which no reply has. */
export function logFault(stderr: Writable, fault: unknown): void {
  stderr.write(`gatehouse: ${fault instanceof Error ? (fault.stack ?? fault.message) : String(fault)}\n`);
}
