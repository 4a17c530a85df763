import type { Mode } from '../../app/sandbox/mode.ts';
import { type Escape, type Prison } from './escape.fixture.ts';
import { escapes } from './escapes.fixture.ts';
import { nodeEscapes } from './nodeEscapes.fixture.ts';

export const CONFINED = ['read-only', 'workspace-write'] as const;

/** What a row runs in: a confined process and nothing else, the tool `bash`, or the tool `run_code`. */
export const WAYS = ['table', 'bash', 'programs'] as const;
export type Way = (typeof WAYS)[number];

/** Not a row: what is left when everything that the rows ran in has been ended. */
export const END = 'nothing is left at the end';

export interface Try {
  readonly name: string;
  readonly escape: Escape;
  readonly language: 'sh' | 'node';
  readonly text: (prison: Prison) => string;
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
export const tries: readonly Try[] = [...escapes, ...nodeEscapes].flatMap((escape) => {
  const { name, sh, node } = escape;
  const found: Try[] = [];
  if (sh) found.push({ name: `${name} (sh)`, escape, language: 'sh', text: sh, unixSockets: 'block' });
  if (node) found.push({ name: `${name} (node)`, escape, language: 'node', text: node, unixSockets: 'block' });
  if (node && name.includes('socket'))
    found.push({ name: `${name} (node, private)`, escape, language: 'node', text: node, unixSockets: 'private' });
  return found;
});

export function triesOf(way: Way): readonly Try[] {
  return way === 'bash' ? tries.filter(({ language }) => language === 'sh') : tries;
}
