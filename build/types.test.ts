import { describe, expect, it } from 'vitest';
import { apart, runGate, type Violation } from './gates.fixture.ts';

const violations: readonly Violation[] = [
  ['process in the core', 'app/base/a.ts', `export const a: unknown = process;\n`, "'process'"],
  ['document in the core', 'app/base/a.ts', `export const a: unknown = document;\n`, "'document'"],
  ['Buffer in the core', 'app/base/a.ts', `export const a: unknown = Buffer;\n`, "'Buffer'"],
  ['setTimeout in the core', 'app/base/a.ts', `export const a: unknown = setTimeout;\n`, "'setTimeout'"],
  [
    'a clock hidden in a signal in the core',
    'app/base/a.ts',
    `export const a = AbortSignal.timeout(1);\n`,
    "'timeout'",
  ],
  ['node:fs in the core', 'app/base/a.ts', `export const a = await import('node:fs');\n`, "'node:fs'"],
  ['the core importing main', 'app/base/a.ts', `export { wait } from '../../main/wait.ts';\n`, 'rootDir'],
  ['an index that may be out of range', 'app/base/a.ts', `export const a = (b: number[]): number => b[0];\n`, 'TS2322'],
  [
    'undefined for what may be absent',
    'app/base/a.ts',
    `export const a: { b?: 1 } = { b: undefined };\n`,
    'exactOptionalPropertyTypes',
  ],
  ['syntax that cannot be erased', 'app/base/a.ts', `export enum A {\n  b,\n}\n`, 'erasableSyntaxOnly'],
  ['a wrong type in a test', 'app/base/a.test.ts', `export const a: string = 1;\n`, 'TS2322'],
  ['process in the window', 'renderer/a.ts', `export const a: unknown = process;\n`, "'process'"],
  ['Node in the window', 'renderer/a.ts', `export type { Stats } from 'node:fs';\n`, "'node:fs'"],
  ['the window importing main', 'renderer/a.ts', `export { wait } from '../main/wait.ts';\n`, 'rootDir'],
  ['document in main', 'main/a.ts', `export const a: unknown = document;\n`, "'document'"],
  ['a wrong type in a view', 'renderer/a.tsx', `export const A = () => <p hidden="no" />;\n`, 'TS2322'],
  ['a wrong type in a test of the window', 'renderer/a.test.tsx', `export const a: string = 1;\n`, 'TS2322'],
  ['a wrong type in a journey', 'e2e/a.spec.ts', `export const a: string = 1;\n`, 'TS2322'],
  ['a wrong type in an example of the documents', 'docs/examples/a.ts', `export const a: string = 1;\n`, 'TS2322'],
];

/** Every violation in a file of its own, and the compiler over all of them at once: what it said of each file. */
function compile(): ReadonlyMap<string, string> {
  const { output } = runGate('types', Object.fromEntries(apart(violations).map(({ file, text }) => [file, text])));
  const said = new Map<string, string>();
  // What follows a message belongs to it and is indented.
  for (const message of output.split(/\n(?=\S)/)) {
    const file = message.split('(')[0] ?? '';
    said.set(file, (said.get(file) ?? '') + message);
  }
  return said;
}

describe('types', { timeout: 60_000 }, () => {
  it('lets a tree without a fault pass', () => {
    const { green, output } = runGate('types', {});
    expect(green, output).toBe(true);
  });

  it('ends with a failure', () => {
    expect(runGate('types', { 'app/base/a.ts': `export const a: string = 1;\n` }).green).toBe(false);
  });

  const said = compile();

  it.each(apart(violations).map((violation) => [violation.what, violation] as const))(
    'refuses %s',
    (_what, { file, told }) => {
      expect(said.get(file)).toContain(told);
    },
  );
});
