import { describe, expect, it } from 'vitest';
import { apart, runGate, type Violation } from './gates.fixture.ts';

const lines = (count: number): string =>
  Array.from({ length: count }, (_, i) => `export const a${i} = ${i};\n`).join('');
const longFunction = `export function long(): void {\n${'  void 0;\n'.repeat(60)}}\n`;
const asyncWait = `import { wait } from './wait.ts';\n`;
const component = (body: string): string =>
  `import { useEffect, useState } from 'react';\n\nexport function A({ on }: { readonly on: boolean }) {\n${body}}\n`;
const journey = (body: string): string =>
  `import { expect, test } from '@playwright/test';\n\n${body}\ntest('a', () => expect(1).toBe(1));\n`;
const vitestImport = `import { expect, it, vi } from 'vitest';\n`;

const violations: readonly Violation[] = [
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
  ['a non-null assertion', 'app/base/a.ts', `export const a = (b?: string): string => b!;\n`, 'no-non-null-assertion'],
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
  ['node:fs in the core, even as a type', 'app/base/a.ts', `export type { Stats } from 'node:fs';\n`, 'knows no host'],
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
  ['schemas in the window', 'renderer/a.tsx', `export { string } from 'zod';\n`, 'Schemas stay out of the window'],
  ['electron in the browser host', 'main/serve.ts', `export { app } from 'electron';\n`, 'know Electron'],
  [
    'electron in the browser host, even as a type',
    'main/a.ts',
    `export type { App } from 'electron';\n`,
    'know Electron',
  ],
  ['electron/main in the browser host', 'main/web/a.ts', `export { app } from 'electron/main';\n`, 'know Electron'],
  ['electron in the build', 'build/a.ts', `export { app } from 'electron';\n`, 'know Electron'],
  ['a second door', 'main/electron/a.ts', `export { ipcMain } from 'electron';\n`, 'There is one door'],
  [
    'a second door under another name',
    'main/main.ts',
    `import { ipcMain as other } from 'electron/main';\n\nother.removeHandler('a');\n`,
    'There is one door',
  ],
  [
    'a second door by way of the whole module',
    'main/host/electronA.ts',
    `import * as electron from 'electron';\n\nelectron.ipcMain.removeHandler('a');\n`,
    'There is one door',
  ],
  [
    'the other end of the door in main',
    'main/ipc.ts',
    `export { ipcRenderer } from 'electron';\n`,
    'only for preload/',
  ],
  [
    'main’s end of the door in the preload',
    'preload/a.ts',
    `export { ipcMain } from 'electron';\n`,
    'only for main/ipc.ts',
  ],
  ['any in a view', 'renderer/a.tsx', `export const A = ({ b }: any) => <p>{b}</p>;\n`, 'no-explicit-any'],
  [
    'a floating promise in a view',
    'renderer/a.tsx',
    `export const A = () => <p onClick={() => void 0}>{load()}</p>;\n\nfunction load(): string {\n  fetch('/');\n  return '';\n}\n`,
    'no-floating-promises',
  ],
  [
    'a hook under a condition',
    'renderer/a.tsx',
    component(`  if (on) useState(0);\n  useEffect(() => undefined, []);\n  return <p />;\n`),
    'rules-of-hooks',
  ],
  [
    'an effect that does not name what it uses',
    'renderer/a.tsx',
    component(
      `  const [name] = useState('');\n  useEffect(() => {\n    document.title = name + String(on);\n  }, [name]);\n  return <p />;\n`,
    ),
    'exhaustive-deps',
  ],
  [
    'an effect that copies state to state',
    'renderer/a.tsx',
    component(
      `  const [copy, setCopy] = useState(on);\n  useEffect(() => {\n    setCopy(on);\n  }, [on]);\n  return <p hidden={copy} />;\n`,
    ),
    'set-state-in-effect',
  ],
  ['a list without keys', 'renderer/a.tsx', `export const A = () => [1, 2].map((b) => <p>{b}</p>);\n`, 'jsx-key'],
  [
    'markup from a text',
    'renderer/a.tsx',
    `export const A = () => <p dangerouslySetInnerHTML={{ __html: '' }} />;\n`,
    'no-danger',
  ],
  ['a journey that runs alone', 'e2e/a.spec.ts', journey(`test.only('b', () => undefined);`), 'runs whole'],
  ['a journey that is skipped', 'e2e/a.spec.ts', journey(`test.skip('b', () => undefined);`), 'runs whole'],
  ['a journey that may be skipped', 'e2e/a.spec.ts', journey(`test.skip(({ page }) => !page, '');`), 'runs whole'],
  ['a group of journeys that is skipped', 'e2e/a.spec.ts', journey(`test.describe.skip('b', () => {});`), 'runs whole'],
  ['a journey that is to be mended', 'e2e/a.spec.ts', journey(`test.fixme('b', () => undefined);`), 'runs whole'],
  ['a journey that is expected to fail', 'e2e/a.spec.ts', journey(`test.fail('b', () => undefined);`), 'runs whole'],
  [
    'a sleep in a journey',
    'e2e/a.spec.ts',
    journey(`test('b', async ({ page }) => {\n  await page.waitForTimeout(1);\n});`),
    'Wait for what is to happen',
  ],
  ['ending the process in a journey', 'e2e/a.ts', `process.exit(1);\n`, 'main/cli.ts ends the process'],
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
];

interface Diagnostic {
  readonly filename: string;
}

/** One run of the linter over all of them. */
function lint(): readonly Diagnostic[] {
  const seed = Object.fromEntries(apart(violations).map(({ file, text }) => [file, text]));
  const { output } = runGate('lint', seed, '--format=json');
  return (JSON.parse(output) as { readonly diagnostics: readonly Diagnostic[] }).diagnostics;
}

describe('lint', { timeout: 60_000 }, () => {
  it('lets a tree without a fault pass', () => {
    const { green, output } = runGate('lint', {});
    expect(green, output).toBe(true);
  });

  it('ends with a failure', () => {
    expect(runGate('lint', { 'app/base/a.ts': `export default 1;\n` }).green).toBe(false);
  });

  const diagnostics = lint();

  it('names no file that is without a fault', () => {
    const faulty = new Set(apart(violations).map(({ file }) => file));
    expect(diagnostics.map(({ filename }) => filename).filter((file) => !faulty.has(file))).toEqual([]);
  });

  it.each(apart(violations).map((violation) => [violation.what, violation] as const))(
    'refuses %s',
    (_what, { file, told }) => {
      const own = diagnostics.filter(({ filename }) => filename === file);
      expect(JSON.stringify(own)).toContain(told);
    },
  );
});
