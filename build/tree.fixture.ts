import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';

const root = dirname(import.meta.dirname);

/** The least of a product: every entry that is built, with a package or a file of its own where one is to be found. */
const product: Readonly<Record<string, string>> = {
  'app/contract/channel.ts': `export const REQUEST = 'request';
`,
  'main/core.ts': `import { WebSocketServer } from 'ws';

export const core = (): string => typeof WebSocketServer;
`,
  'main/main.ts': `import { app } from 'electron';
import { core } from './core.ts';

void app.whenReady().then(core);
`,
  // Tells who it is and every signal that it hears, until it is told to end.
  'main/serve.ts': `import { core } from './core.ts';

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => console.log(signal));
process.on('SIGUSR2', () => {
  process.exitCode = 7;
  clearInterval(alive);
});
const alive = setInterval(() => undefined, 1_000);
console.log(JSON.stringify({ core: core(), pid: process.pid, argv: process.argv, env: process.env }));
`,
  'main/cli.ts': `void import('./core.ts').then(({ core }) => console.log(core()));
`,
  'main/ptc/kernel.cjs': `'use strict';
`,
  'main/ptc/parsing.ts': `import { parentPort } from 'node:worker_threads';

parentPort?.close();
`,
  'preload/preload.ts': `import { ipcRenderer } from 'electron';
import { REQUEST } from '../app/contract/channel.ts';

void ipcRenderer.invoke(REQUEST);
`,
  'renderer/index.html': `<!doctype html>
<html lang="en">
  <head>
    <title>Small</title>
    <link rel="stylesheet" href="./style.css" />
  </head>
  <body>
    <div id="root"></div>
    <script type="module" src="./main.tsx"></script>
  </body>
</html>
`,
  'renderer/style.css': `body {
  margin: 0;
}
`,
  'renderer/main.tsx': `import { createRoot } from 'react-dom/client';

const element = document.getElementById('root');
if (element) createRoot(element).render(<p>Small</p>);
void import('./late.ts').then(({ late }) => late());
`,
  'renderer/late.ts': `// A text that only looks like code: eval('1'), new Function('1').
export const late = (): string => 'eval("1") new Function("1") WebAssembly';
`,
};

const configurations = [
  'package.json',
  'package-lock.json',
  'build/tsconfig.base.json',
  ...['app', 'main', 'preload', 'renderer'].map((folder) => `${folder}/tsconfig.json`),
];

export type Tree = Readonly<Record<string, string>>;

/** A folder with the product and what `more` adds to it or puts in its place; it is removed with the test. */
export function plantProduct(more: Tree = {}): string {
  const tree = plantForAll(more);
  onTestFinished(() => rmSync(tree, { recursive: true, force: true }));
  return tree;
}

/** The same, to be removed by whoever planted it. */
export function plantForAll(more: Tree = {}): string {
  const tree = mkdtempSync(join(tmpdir(), 'gatehouse-build-'));
  for (const file of configurations) cpSync(join(root, file), join(tree, file));
  for (const [file, text] of Object.entries({ ...product, ...more })) {
    mkdirSync(dirname(join(tree, file)), { recursive: true });
    writeFileSync(join(tree, file), text);
  }
  symlinkSync(join(root, 'node_modules'), join(tree, 'node_modules'));
  return tree;
}

export interface Ended {
  readonly status: number | null;
  readonly output: string;
}

/** A script of this folder, as npm would start it in that tree. */
export function runScript(tree: string, script: string, env: NodeJS.ProcessEnv = {}): Ended {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(root, 'build', script)], {
    cwd: tree,
    env: { ...plain(), ...env },
    encoding: 'utf8',
  });
  return { status, output: stdout + stderr };
}

/** The same, running. Its group is killed with the test. */
export function startScript(
  tree: string,
  script: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv,
): ChildProcess {
  const child = spawn(process.execPath, [join(root, 'build', script), ...args], {
    cwd: tree,
    env: { ...plain(), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  onTestFinished(async () => {
    killGroup(child.pid);
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  });
  return child;
}

export function killGroup(pid: number | undefined): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL');
  } catch {
    // it is gone
  }
}

/** What the runner of the tests and this machine add would decide about the build and the host. */
const decisive = ['NODE_ENV', 'VITEST', 'DISPLAY', 'WAYLAND_DISPLAY', 'ELECTRON_OVERRIDE_DIST_PATH'];

function plain(): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !decisive.includes(name)));
}
