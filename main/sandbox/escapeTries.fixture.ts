import type { Mode } from '../../app/sandbox/mode.ts';
import { escapes, type Escape, type Prison } from './escapes.fixture.ts';

export const CONFINED = ['read-only', 'workspace-write'] as const;

export interface Try {
  readonly name: string;
  readonly escape: Escape;
  readonly argv: (prison: Prison, node: string) => readonly [string, ...string[]];
  readonly unixSockets: 'block' | 'private';
}

export interface Finding {
  readonly mode: Mode;
  readonly name: string;
  readonly held: boolean;
  readonly exitCode: number | null;
  readonly broken: readonly string[];
  readonly output: string;
}

/** Each row by the means that it can be tried with. */
export const tries: readonly Try[] = escapes.flatMap((escape) => {
  const { name, sh, node } = escape;
  const found: Try[] = [];
  if (sh)
    found.push({ name: `${name} (sh)`, escape, unixSockets: 'block', argv: (prison) => ['bash', '-c', sh(prison)] });
  if (node)
    found.push({
      name: `${name} (node)`,
      escape,
      unixSockets: 'block',
      argv: (prison, path) => [path, '-e', node(prison)],
    });
  if (node && name.includes('socket'))
    found.push({
      name: `${name} (node, private)`,
      escape,
      unixSockets: 'private',
      argv: (prison, path) => [path, '-e', node(prison)],
    });
  return found;
});
