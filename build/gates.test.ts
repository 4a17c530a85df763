import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { plant as plantTree, root, runGate, type Tree, type Violation } from './gates.fixture.ts';
import { checkRooms } from './rooms.ts';
import { failures, tally, type TestReport } from './tally.ts';

function plant(seed: Tree): string {
  const { tree, remove } = plantTree(seed);
  onTestFinished(remove);
  return tree;
}

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

describe('format', { timeout: 60_000 }, () => {
  bites('format:check', [
    ['double quotes', 'app/base/a.ts', `export const a = "a";\n`, 'Format issues'],
    ['a plain script with four spaces', 'main/ptc/a.cjs', `if (true) {\n    void 0;\n}\n`, 'Format issues'],
    ['unformatted JSON', 'build/a.json', `{"a":\n1}`, 'Format issues'],
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
    ['main importing a journey', { 'main/a.ts': `export * from '../e2e/standin/boot.ts';\n` }, ['main/a.ts', 'e2e']],
    [
      'the build importing a journey',
      { 'build/a.ts': `export * from '../e2e/standin/boot.ts';\n` },
      ['build/a.ts', 'e2e'],
    ],
    [
      'the window importing the preload',
      { 'renderer/a.ts': `export * from '../preload/preload.ts';\n` },
      ['renderer/a.ts', 'preload/preload.ts'],
    ],
    [
      'a view importing a test',
      { 'renderer/a.tsx': `export * from './view/Counter.test.tsx';\n` },
      ['renderer/a.tsx', 'belongs to the tests'],
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
  const passed = { status: 'passed', fullName: 'holds' };
  const skipped = { status: 'skipped', fullName: 'is left out' };
  const file = (status: string, ...assertionResults: TestReport[]) => ({ name: 'a.test.ts', status, assertionResults });

  it.each([
    [
      'counts what passed',
      { numTotalTests: 2, numPassedTests: 2, testResults: [file('passed', passed, passed)] },
      0,
      { passed: 2, failed: 0 },
    ],
    [
      'counts a skipped test as failed',
      { numTotalTests: 2, numPassedTests: 1, testResults: [file('passed', passed, skipped)] },
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

  it('names what failed, with the beginning of why', () => {
    const why = Array.from({ length: 40 }, (_, line) => `line ${line}`).join('\n');
    const broken = { status: 'failed', fullName: 'adds up', failureMessages: [why] };
    const unloaded = { ...file('failed'), name: 'b.test.ts', message: 'cannot be parsed' };
    const report = {
      numTotalTests: 3,
      numPassedTests: 1,
      testResults: [file('failed', passed, broken, skipped), unloaded],
    };
    const [first, ...others] = failures(report);
    expect(first).toMatch(/^a\.test\.ts › adds up\n {4}line 0\n/);
    expect(first).not.toContain('line 39');
    expect(others).toEqual(['a.test.ts › is left out', 'b.test.ts\n    cannot be parsed']);
  });
});
