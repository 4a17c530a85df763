import { spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { processTable } from '../../main/process/tree.ts';
import { until } from '../../main/process/until.ts';
import { withBench, type Bench } from './environment.ts';
import { median, plainStart, toRow, type Row } from './measure.ts';

/** A call that needs a new Environment and finds one that was started before: from the call to its first result. */
export function measurePrewarmed(rounds = 20): Promise<Row> {
  return withBench(async (bench) => {
    const plain: number[] = [];
    const measured: number[] = [];
    await once(bench);
    for (let round = 0; round < rounds; round += 1) {
      plain.push(await plainStart());
      await until(() => bench.hasSpare(), 10_000);
      // It is listed from its launch on; its kernel must have started, and nothing else be going on.
      await pause(500);
      measured.push(await once(bench));
    }
    return toRow({ name: 'pre-warmed call to first result', plain, measured, target: 0.1 });
  });
}

/** Until the result is there. How long its release takes afterwards is another question. */
async function once(bench: Bench): Promise<number> {
  const start = performance.now();
  const environment = await bench.acquire(null);
  await bench.run(environment, '1 + 1');
  const took = performance.now() - start;
  await environment.release();
  return took;
}

/** What a retained Environment holds that has run a program, all its processes together, against a Node that does nothing. */
export function measureIdleMemory(rounds = 5): Promise<Row> {
  return withBench(async (bench) => {
    const ratios: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      const idle = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1e9)'], { env: {}, stdio: 'ignore' });
      const environment = await bench.acquire();
      await bench.run(environment, '1 + 1');
      await pause(1_000);
      ratios.push((await memoryOf(environment.process.pid)) / (await memoryOf(idle.pid)));
      idle.kill('SIGKILL');
      await bench.environments.reset();
    }
    return { name: 'memory of an idle retained Environment', unit: '× Node', measured: median(ratios), target: 1.35 };
  });
}

/** Proportional: what processes share counts once. In kB. */
async function memoryOf(root: number | undefined): Promise<number> {
  if (root === undefined) throw new Error('A process did not start');
  const tree = new Set([root]);
  const rows = [...processTable().values()];
  for (let size = 0; size !== tree.size;) {
    size = tree.size;
    for (const { pid, parent } of rows) if (tree.has(parent)) tree.add(pid);
  }
  const sizes = await Promise.all(Array.from(tree, pssOf));
  return sizes.reduce((sum, size) => sum + size, 0);
}

async function pssOf(pid: number): Promise<number> {
  const rollup = await readFile(`/proc/${pid}/smaps_rollup`, 'latin1');
  return Number(/^Pss:\s+(\d+)/m.exec(rollup)?.[1]);
}
