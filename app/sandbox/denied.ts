import type { Mode } from './mode.ts';

/** `certain` is false where only a program's error text says so (contract.md, Conventions). */
export interface Denied {
  readonly operation: string;
  readonly path?: string;
  readonly mode: Mode;
  readonly certain: boolean;
}
