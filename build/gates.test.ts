import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { checkRooms } from './rooms.ts';
import { tally } from './tally.ts';

// A rule is only a rule while something proves that it bites. Each gate runs here with the real configuration and the
// real command on a small tree, once as it should be and once for every violation.

const root = dirname(import.meta.dirname);
const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  readonly scripts: Readonly<Record<string, string>>;
};
const configurations = [
  '.gitignore',
  'package.json',
  'tsconfig.json',
  'app/tsconfig.json',
  'app/globals.d.ts',
  'main/tsconfig.json',
  'build/oxfmt.json',
  'build/oxlint.config.ts',
  'build/tsconfig.base.json',
  'build/tsconfig.json',
  'build/tsconfig.test.json',
];

/** A tree without a fault, which uses everything that is allowed where it is allowed. */
const clean: Readonly<Record<string, string>> = {
  'app/base/never.ts': `export function assertNever(value: never): never {
  throw new Error(String(value));
}
`,
  'app/base/never.test.ts': `import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { assertNever } from './never.ts';

it('is a function', () => {
  expect(typeof assertNever).toBe('function');
  expect(readFileSync(import.meta.filename, 'utf8')).toContain('a function');
});
`,
  'app/lease/state.ts': `import { assertNever } from '../base/never.ts';

export type State = 'free' | 'held';

export function isFree(state: State, signal: AbortSignal): boolean {
  signal.throwIfAborted();
  switch (state) {
    case 'free':
      return true;
    case 'held':
      return false;
    default:
      return assertNever(state);
  }
}
`,
  'app/session/view.ts': `export const emptyView = {};
`,
  'app/contract/reply.ts': `export const ok = true;
`,
  'app/contract/channel.ts': `export const channel = 'request';
`,
  'app/contract/requests.ts': `import * as z from 'zod';
import type { State } from '../lease/state.ts';

export const input = z.object({ id: z.string() });
export type Input = z.output<typeof input> & { readonly state: State };
`,
  'main/cli.ts': `import { isFree } from '../app/lease/state.ts';
import { wait } from './wait.ts';

await wait();
process.exit(isFree('free', new AbortController().signal) ? 0 : 1);
`,
  'main/wait.ts': `import { setTimeout as sleep } from 'node:timers/promises';

export async function wait(): Promise<void> {
  try {
    await sleep(1);
  } catch {
    // cancelled, which is an outcome
  }
}
`,
  'main/ptc/kernel.cjs': `'use strict';
const { writeSync } = require('node:fs');
writeSync(1, 'ready');
`,
  'preload/preload.ts': `import { channel } from '../app/contract/channel.ts';

export const request = channel;
`,
  'renderer/window.ts': `import { assertNever } from '../app/base/never.ts';
import { ok } from '../app/contract/reply.ts';
import type { Input } from '../app/contract/requests.ts';
import { emptyView } from '../app/session/view.ts';

export const window = { ok, emptyView, assertNever, inputs: [] as Input[] };
`,
};

type Tree = Readonly<Record<string, string>>;

function plant(seed: Tree): string {
  // The folder is called `app`: a pattern that looks above the root for its folders would be caught by that.
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-gates-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const tree = join(folder, 'app');
  for (const file of configurations) cpSync(join(root, file), join(tree, file));
  for (const [file, text] of Object.entries({ ...clean, ...seed })) {
    mkdirSync(dirname(join(tree, file)), { recursive: true });
    writeFileSync(join(tree, file), text);
  }
  symlinkSync(join(root, 'node_modules'), join(tree, 'node_modules'));
  return tree;
}

function runGate(name: string, seed: Tree): { readonly green: boolean; readonly output: string } {
  const env = { ...process.env, PATH: [join(root, 'node_modules/.bin'), process.env['PATH']].join(delimiter) };
  const { status, stdout, stderr } = spawnSync('sh', ['-c', scripts[name] ?? 'exit 99'], {
    cwd: plant(seed),
    env: { ...env, NO_COLOR: '1' },
    encoding: 'utf8',
  });
  return { green: status === 0, output: stdout + stderr };
}

/** One row: what is forbidden, the file that does it, and the words by which the gate names it. */
type Violation = readonly [what: string, file: string, text: string, told: string];

function bites(gate: string, violations: readonly Violation[]): void {
  it('lets a tree without a fault pass', () => {
    const { green, output } = runGate(gate, {});
    expect(green, output).toBe(true);
  });

  it.each(violations)('refuses %s', (_what, file, text, told) => {
    const { green, output } = runGate(gate, { [file]: text });
    expect(output).toContain(told);
    expect(output.replaceAll('\\', '/')).toContain(file);
    expect(green).toBe(false);
  });
}

const lines = (count: number): string =>
  Array.from({ length: count }, (_, i) => `export const a${i} = ${i};\n`).join('');
const longFunction = `export function long(): void {\n${'  void 0;\n'.repeat(60)}}\n`;
const asyncWait = `import { wait } from './wait.ts';\n`;
const vitestImport = `import { expect, it, vi } from 'vitest';\n`;

describe('format', () => {
  bites('format:check', [
    ['double quotes', 'app/base/a.ts', `export const a = "a";\n`, 'Format issues'],
    ['a plain script with four spaces', 'main/ptc/a.cjs', `if (true) {\n    void 0;\n}\n`, 'Format issues'],
    ['unformatted JSON', 'build/a.json', `{"a":\n1}`, 'Format issues'],
  ]);
});

describe('lint', () => {
  bites('lint', [
    [
      'a floating promise',
      'main/a.ts',
      `${asyncWait}export const a = (): void => {\n  wait();\n};\n`,
      'no-floating-promises',
    ],
    [
      'a promise where nothing awaits it',
      'main/a.ts',
      `${asyncWait}[1].forEach(async () => wait());\n`,
      'no-misused-promises',
    ],
    [
      'a switch that forgets a case',
      'main/a.ts',
      `import type { State } from '../app/lease/state.ts';\nexport function a(state: State): void {\n  switch (state) {\n    case 'free':\n  }\n}\n`,
      'switch-exhaustiveness-check',
    ],
    ['any', 'app/base/a.ts', `export const a = (b: any): unknown => b;\n`, 'no-explicit-any'],
    [
      'a non-null assertion',
      'app/base/a.ts',
      `export const a = (b?: string): string => b!;\n`,
      'no-non-null-assertion',
    ],
    ['a default export', 'app/base/a.ts', `export default 1;\n`, 'no-default-export'],
    ['an empty catch that does not say why', 'main/a.ts', `try {\n  JSON.parse('');\n} catch {}\n`, 'no-empty'],
    ['a file of 301 lines', 'app/base/a.ts', lines(301), 'max-lines'],
    ['a function of 62 lines', 'app/base/a.ts', longFunction, 'max-lines-per-function'],
    [
      'five parameters',
      'app/base/a.ts',
      `export const a = (b: 1, c: 1, d: 1, e: 1, f: 1): number => b + c + d + e + f;\n`,
      'max-params',
    ],
    ['ending the process outside the command line', 'main/a.ts', `process.exit(1);\n`, 'main/cli.ts ends the process'],
    ['ending the process in a plain script', 'main/ptc/a.cjs', `process.exit(1);\n`, 'main/cli.ts ends the process'],
    ['electron in the core', 'app/base/a.ts', `export { app } from 'electron';\n`, 'knows no host'],
    [
      'node:fs in the core, even as a type',
      'app/base/a.ts',
      `export type { Stats } from 'node:fs';\n`,
      'knows no host',
    ],
    ['any other package in the core', 'app/base/a.ts', `export { parse } from 'acorn';\n`, 'knows no host'],
    [
      'a package whose name begins like the allowed one',
      'app/base/a.ts',
      `export { a } from 'zodiac';\n`,
      'knows no host',
    ],
    ['schemas outside the core', 'main/a.ts', `export { string } from 'zod';\n`, 'Schemas live in app/'],
    [
      'the value of a schema in the window',
      'renderer/a.ts',
      `export { input } from '../app/contract/requests.ts';\n`,
      'only from session/view',
    ],
    ['electron in the window', 'renderer/a.ts', `export { app } from 'electron';\n`, 'The window knows no host'],
    [
      'a test that runs alone',
      'app/base/a.test.ts',
      `${vitestImport}it.only('a', () => expect(vi).toBe(1));\n`,
      'no-focused-tests',
    ],
    [
      'a test that is skipped',
      'app/base/a.test.ts',
      `${vitestImport}it.skip('a', () => expect(vi).toBe(1));\n`,
      'no-disabled-tests',
    ],
    [
      'a test that may be skipped',
      'app/base/a.test.ts',
      `${vitestImport}it.skipIf(true)('a', () => expect(vi).toBe(1));\n`,
      'cannot run is a failure',
    ],
    [
      'a test without an assertion',
      'app/base/a.test.ts',
      `import { it } from 'vitest';\nit('a', () => {});\n`,
      'expect-expect',
    ],
    [
      'a mocked module',
      'app/base/a.test.ts',
      `${vitestImport}vi.mock('./a.ts');\nit('a', () => expect(vi).toBe(1));\n`,
      'pass a fake instead',
    ],
    [
      'a lint exception that excepts nothing',
      'main/a.ts',
      `// oxlint-disable-next-line no-empty -- no reason\nexport const a = 1;\n`,
      'Unused',
    ],
  ]);
});

describe('types', () => {
  bites('types', [
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
    [
      'an index that may be out of range',
      'app/base/a.ts',
      `export const a = (b: number[]): number => b[0];\n`,
      'TS2322',
    ],
    [
      'undefined for what may be absent',
      'app/base/a.ts',
      `export const a: { b?: 1 } = { b: undefined };\n`,
      'exactOptionalPropertyTypes',
    ],
    ['syntax that cannot be erased', 'app/base/a.ts', `export enum A {\n  b,\n}\n`, 'erasableSyntaxOnly'],
    ['a wrong type in a test', 'app/base/a.test.ts', `export const a: string = 1;\n`, 'TS2322'],
    ['a wrong type in an example of the documents', 'docs/examples/a.ts', `export const a: string = 1;\n`, 'TS2322'],
  ]);
});

describe('rooms', () => {
  it('lets a tree without a fault pass', () => {
    expect(checkRooms(plant({}))).toEqual([]);
  });

  const use = (file: string): Tree => ({ 'main/use.ts': `export * from '../${file}';\n` });

  it.each<readonly [what: string, seed: Tree, told: readonly string[]]>([
    [
      'an import to the right',
      { 'app/base/a.ts': `export { isFree } from '../lease/state.ts';\n`, ...use('app/base/a.ts') },
      ['app/base/a.ts', 'app/lease/state.ts', 'base → log → sandbox'],
    ],
    [
      'a type import to the right',
      { 'app/base/a.ts': `export type A = import('../lease/state.ts').State;\n`, ...use('app/base/a.ts') },
      ['app/base/a.ts', 'app/lease/state.ts'],
    ],
    [
      'a circle of types',
      {
        'app/base/a.ts': `import type { B } from './b.ts';\nexport type A = B;\n`,
        'app/base/b.ts': `import type { A } from './a.ts';\nexport type B = A;\n`,
        ...use('app/base/a.ts'),
      },
      ['app/base/a.ts → app/base/b.ts → app/base/a.ts'],
    ],
    [
      'a circle outside the core',
      { 'main/a.ts': `export * from './b.ts';\n`, 'main/b.ts': `export * from './a.ts';\n` },
      ['main/a.ts → main/b.ts → main/a.ts'],
    ],
    ['a file that nothing uses', { 'app/base/a.ts': `export const a = 1;\n` }, ['app/base/a.ts', 'orphan']],
    [
      'two files that use only each other',
      { 'app/base/a.ts': `export * from './b.ts';\n`, 'app/base/b.ts': `export const b = 1;\n` },
      ['app/base/a.ts is an orphan', 'app/base/b.ts is an orphan'],
    ],
    [
      'a file of the core outside every room',
      { 'app/a.ts': `export const a = 1;\n`, ...use('app/a.ts') },
      ['app/a.ts', 'no room'],
    ],
    [
      'the core importing main',
      { 'app/base/a.ts': `export { wait } from '../../main/wait.ts';\n`, ...use('app/base/a.ts') },
      ['app/base/a.ts', 'main/wait.ts'],
    ],
    [
      'main importing the window',
      { 'main/a.ts': `export { window } from '../renderer/window.ts';\n` },
      ['main/a.ts', 'renderer/window.ts', 'renderer → app ← main'],
    ],
    [
      'the window importing main',
      { 'renderer/a.ts': `export { wait } from '../main/wait.ts';\n` },
      ['renderer/a.ts', 'main/wait.ts'],
    ],
    [
      'the preload importing more than the channel',
      { 'preload/a.ts': `export { ok } from '../app/contract/reply.ts';\n` },
      ['preload/a.ts', 'app/contract/reply.ts'],
    ],
    [
      'a package loaded late by the core',
      { 'app/base/a.ts': `export const a = await import('electron');\n`, ...use('app/base/a.ts') },
      ['app/base/a.ts', 'electron'],
    ],
    [
      'a product file importing a test',
      { 'main/a.ts': `export * from '../app/base/never.test.ts';\n` },
      ['main/a.ts', 'app/base/never.test.ts'],
    ],
    ['an import that names no file', { 'main/a.ts': `export * from './wait';\n` }, ['main/a.ts', './wait']],
  ])('refuses %s', (_what, seed, told) => {
    const problems = checkRooms(plant(seed)).join('\n');
    for (const words of told) expect(problems).toContain(words);
  });

  it('ends with a failure on the command line', () => {
    const tree = plant({ 'app/base/a.ts': `export const a = 1;\n` });
    const { status, stderr } = spawnSync(process.execPath, [join(root, 'build/rooms.ts')], {
      cwd: tree,
      encoding: 'utf8',
    });
    expect(stderr).toContain('app/base/a.ts');
    expect(status).toBe(1);
  });
});

describe('the tally of the tests', () => {
  const passed = { status: 'passed' };
  const file = (status: string, ...assertionResults: { status: string }[]) => ({ status, assertionResults });

  it.each([
    [
      'counts what passed',
      { numTotalTests: 2, numPassedTests: 2, testResults: [file('passed', passed, passed)] },
      0,
      { passed: 2, failed: 0 },
    ],
    [
      'counts a skipped test as failed',
      { numTotalTests: 2, numPassedTests: 1, testResults: [file('passed', passed, { status: 'skipped' })] },
      0,
      { passed: 1, failed: 1 },
    ],
    [
      'counts a file that did not load as failed',
      { numTotalTests: 1, numPassedTests: 1, testResults: [file('passed', passed), file('failed')] },
      1,
      { passed: 1, failed: 1 },
    ],
    [
      'counts an error outside the tests as failed',
      { numTotalTests: 1, numPassedTests: 1, testResults: [file('passed', passed)] },
      1,
      { passed: 1, failed: 1 },
    ],
    [
      'takes no tests at all for a failure',
      { numTotalTests: 0, numPassedTests: 0, testResults: [] },
      0,
      { passed: 0, failed: 1 },
    ],
    ['takes a missing report for a failure', undefined, 1, { passed: 0, failed: 1 }],
  ] as const)('%s', (_what, report, exitCode, expected) => {
    expect(tally(report, exitCode)).toEqual(expected);
  });
});
