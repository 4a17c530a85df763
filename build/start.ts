import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { constants } from 'node:os';
import { join } from 'node:path';
import { isFresh } from './bundle/stamp.ts';
import { lookAtMachine } from './machine.ts';
import { planStart, type StartPlan } from './startPlan.ts';
import { Wishes } from './wishes.ts';

/** `npm start`: builds what the sources have left behind, chooses the host, and stays in front of it until it ends. */
async function start(root: string, args: readonly string[]): Promise<number> {
  if (!(await isBuilt(root))) return 1;
  const plan = planStart(lookAtMachine(root, process.env));
  if (plan.host === 'electron') console.log(`Gatehouse, Electron host: ${plan.reason}`);
  // A group of its own: a terminal would tell the host of Ctrl+C as well, and to be told twice means to hurry.
  const child = spawn(...commandOf(plan, root, args), {
    env: { ...process.env, GATEHOUSE_HOST_REASON: plan.reason },
    stdio: ['ignore', 'inherit', 'inherit'],
    detached: process.platform !== 'win32',
  });
  forwardSignals(child);
  const [code, signal] = (await once(child, 'exit')) as [number | null, NodeJS.Signals | null]; // Node's promise
  return code ?? 128 + (signal === null ? 0 : constants.signals[signal]);
}

/** The bundler is slow to load, and most starts do without it. */
async function isBuilt(root: string): Promise<boolean> {
  if (isFresh(root, join(root, 'out'))) return true;
  const { bundleIfNeeded } = await import('./bundle.ts');
  return bundleIfNeeded(root);
}

function commandOf(plan: StartPlan, root: string, args: readonly string[]): [string, string[]] {
  if (plan.host === 'electron') return [plan.binary, [root, ...args]];
  return [process.execPath, [join(root, 'out/main/serve.cjs'), ...args]];
}

function forwardSignals(child: ChildProcess): void {
  const wishes = new Wishes();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => {
      if (wishes.isNew(signal, performance.now())) child.kill(signal);
    });
  }
}

process.exitCode = await start(process.cwd(), process.argv.slice(2));
