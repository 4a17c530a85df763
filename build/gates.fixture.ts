import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';

// A rule is only a rule while something proves that it bites. Each gate runs here with the real configuration and the
// real command on a small tree, once as it should be and once for every violation.

export const root = dirname(import.meta.dirname);
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
  'preload/tsconfig.json',
  'renderer/tsconfig.json',
  'renderer/tsconfig.test.json',
  'e2e/tsconfig.json',
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
  'main/main.ts': `import { app } from 'electron';
import { answer } from './ipc.ts';

void app.whenReady().then(answer);
`,
  'main/ipc.ts': `import { ipcMain } from 'electron';
import { size } from './electron/window.ts';
import type { Host } from './host/electronHost.ts';

export function answer(): void {
  ipcMain.handle('request', (): Host => ({ size }));
}
`,
  'main/electron/window.ts': `import { screen } from 'electron';

export const size = screen.getPrimaryDisplay().size.width;
`,
  'main/host/electronHost.ts': `import type { Size } from 'electron';

export interface Host {
  readonly size: Size['width'];
}
`,
  'preload/preload.ts': `import { ipcRenderer } from 'electron';
import { channel } from '../app/contract/channel.ts';

export const request = (): Promise<unknown> => ipcRenderer.invoke(channel);
`,
  'renderer/view/counter.css': `.counter {
  display: block;
}
`,
  'renderer/view/Counter.tsx': `import { useEffect, useState } from 'react';
import { window } from '../window.ts';
import './counter.css';

export function Counter({ names }: { readonly names: readonly string[] }) {
  const [count, setCount] = useState(0);
  useEffect(() => {
    document.title = String(count);
  }, [count]);
  const items = names.map((name) => <li key={name}>{name}</li>);
  return (
    <ul className="counter" onClick={() => setCount(count + window.inputs.length)}>
      {items}
    </ul>
  );
}
`,
  'renderer/view/Counter.test.tsx': `import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { Counter } from './Counter.tsx';

it('is an element', () => {
  expect(<Counter names={[]} />).toBeDefined();
  expect(readFileSync(import.meta.filename, 'utf8')).toContain('an element');
});
`,
  'e2e/standin/boot.ts': `import type { App } from 'electron';

export const exit: App['exit'] = (code) => process.exit(code);
`,
  'e2e/start.spec.ts': `import { expect, test } from '@playwright/test';
import * as z from 'zod';
import { exit } from './standin/boot.ts';

test('starts', async ({ page }) => {
  await page.goto('about:blank');
  expect(await page.title()).toBe('');
  expect(typeof exit).toBe(typeof z.string);
});
`,
  'renderer/window.ts': `import { assertNever } from '../app/base/never.ts';
import { ok } from '../app/contract/reply.ts';
import type { Input } from '../app/contract/requests.ts';
import { emptyView } from '../app/session/view.ts';

export const window = { ok, emptyView, assertNever, inputs: [] as Input[] };
`,
};

export type Tree = Readonly<Record<string, string>>;

export interface Planted {
  readonly tree: string;
  readonly remove: () => void;
}

export function plant(seed: Tree): Planted {
  // The folder is called `app`: a pattern that looks above the root for its folders would be caught by that.
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-gates-'));
  const tree = join(folder, 'app');
  for (const file of configurations) cpSync(join(root, file), join(tree, file));
  for (const [file, text] of Object.entries({ ...clean, ...seed })) {
    mkdirSync(dirname(join(tree, file)), { recursive: true });
    writeFileSync(join(tree, file), text);
  }
  symlinkSync(join(root, 'node_modules'), join(tree, 'node_modules'));
  return { tree, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

/** Runs the script of package.json by its name. */
export function runGate(name: string, seed: Tree, more = ''): { readonly green: boolean; readonly output: string } {
  const env = { ...process.env, PATH: [join(root, 'node_modules/.bin'), process.env['PATH']].join(delimiter) };
  const { tree, remove } = plant(seed);
  try {
    const { status, stdout, stderr } = spawnSync('sh', ['-c', `${scripts[name] ?? 'exit 99'} ${more}`], {
      cwd: tree,
      env: { ...env, NO_COLOR: '1' },
      encoding: 'utf8',
      maxBuffer: 64 * 1024 * 1024,
    });
    return { green: status === 0, output: stdout + stderr };
  } finally {
    remove();
  }
}

/** One row: what is forbidden, the file that does it, and the words by which the gate names it. */
export type Violation = readonly [what: string, file: string, text: string, told: string];

export interface Apart {
  readonly what: string;
  readonly file: string;
  readonly text: string;
  readonly told: string;
}

/** Each violation in a file of its own, so that one run of a slow gate tells of all of them. */
export function apart(violations: readonly Violation[]): readonly Apart[] {
  return violations.map(([what, file, text, told], index) => {
    return { what, file: file.replace(/\/a\./, `/a${index}.`), text, told };
  });
}
