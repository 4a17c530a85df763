import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { identityOf, isAlive, signalTo } from '../process/identity.ts';
import { processTable } from '../process/tree.ts';
import { until } from '../process/until.ts';
import { startGuardian } from './guardian.ts';

it('ends what a killed process leaves, what others left not, and goes', async () => {
  const main = spawn(process.execPath, [join(import.meta.dirname, 'guardianChild.fixture.ts')], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void main.kill('SIGKILL'));
  const [line] = (await once(main.stdout, 'data')) as [Buffer];
  const started = (JSON.parse(String(line)) as number[]).flatMap((pid) => identityOf(pid) ?? []);
  onTestFinished(() => started.forEach((each) => signalTo(each, 'SIGKILL')));
  const guardians = childrenOf(main.pid).filter(({ pid }) => started.every((each) => each.pid !== pid));
  expect([started.length, guardians.length]).toEqual([2, 1]);
  main.kill('SIGKILL');
  expect(await until(() => started[0] !== undefined && !isAlive(started[0]), 5_000)).toBe(true);
  expect(await until(() => guardians.every((each) => !isAlive(each)), 10_000)).toBe(true);
  expect(started[1] && isAlive(started[1])).toBe(true);
}, 30_000);

it('is gone when it was closed, twice is once', async () => {
  const before = childrenOf(process.pid).length;
  const guardian = startGuardian('mine', () => undefined);
  expect(childrenOf(process.pid)).toHaveLength(before + 1);
  expect(guardian.close()).toBe(guardian.close());
  await guardian.close();
  expect(childrenOf(process.pid)).toHaveLength(before);
});

function childrenOf(parent: number | undefined) {
  return Array.from(processTable().values()).filter((row) => row.parent === parent);
}
