import type { FileFailure } from '../../app/tool/ports.ts';

/** The code of an error of the operating system; undefined for anything else. */
export function codeOf(fault: unknown): string | undefined {
  return fault instanceof Error && 'syscall' in fault && 'code' in fault && typeof fault.code === 'string'
    ? fault.code
    : undefined;
}

const DENIALS: Readonly<Record<string, string>> = {
  EACCES: 'the operating system does not permit it (EACCES)',
  EPERM: 'the operating system does not permit it (EPERM)',
  EROFS: 'it lies on a read-only file system (EROFS)',
  ENAMETOOLONG: 'the name is too long (ENAMETOOLONG)',
};

/** What the operating system forbids is a refusal; everything else it says (a full or broken disk) stays a fault. */
export function toDenial(fault: unknown, path: string): FileFailure {
  const reason = DENIALS[codeOf(fault) ?? ''];
  if (reason === undefined) throw fault;
  return { kind: 'denied', path, reason };
}

/** Something on the way is no longer what it was when the path was resolved: resolve it again. */
export class Moved extends Error {
  override readonly name = 'Moved';
}

const MOVED = new Set(['ENOENT', 'ENOTDIR', 'ELOOP', 'ESTALE']);

export function movedOr(fault: unknown): unknown {
  return MOVED.has(codeOf(fault) ?? '') ? new Moved('The path changed while it was used', { cause: fault }) : fault;
}
