import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, open, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
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
  expect(await until(() => guardians.every((each) => !isAlive(each)), 25_000)).toBe(true);
  expect(started[1] && isAlive(started[1])).toBe(true);
}, 60_000);

it('is gone when it was closed, twice is once', async () => {
  const before = childrenOf(process.pid).length;
  const guardian = startGuardian('mine', () => undefined);
  expect(childrenOf(process.pid)).toHaveLength(before + 1);
  expect(guardian.close()).toBe(guardian.close());
  await guardian.close();
  expect(childrenOf(process.pid)).toHaveLength(before);
});

it('keeps no descriptor of ours, which may be a lock', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-guardian-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const file = join(folder, 'lock');
  await writeFile(file, '');
  // Node makes only what it opened itself close-on-exec, and of what it inherits the lowest few.
  const held = await open(file);
  onTestFinished(() => held.close());
  const probe = `const { startGuardian } = await import(${JSON.stringify(join(import.meta.dirname, 'guardian.ts'))});
    const guardian = startGuardian('mine', console.error);
    const { readdirSync, readlinkSync, readFileSync } = await import('node:fs');
    const children = readFileSync('/proc/self/task/' + process.pid + '/children', 'utf8').trim().split(' ');
    const open = children.flatMap((pid) => readdirSync('/proc/' + pid + '/fd').map((fd) => readlinkSync('/proc/' + pid + '/fd/' + fd)));
    await guardian.close();
    console.log(JSON.stringify(open));`;
  const stdio = ['ignore', 'pipe', 'inherit', ...Array<'ignore'>(37).fill('ignore'), held.fd] as const;
  const child = spawn(process.execPath, ['--input-type=module', '-e', probe], { stdio: [...stdio] });
  const [line] = (await once(child.stdout ?? child, 'data')) as [Buffer];
  const kept = JSON.parse(String(line)) as string[];
  expect(kept.length).toBeGreaterThanOrEqual(3);
  expect(kept).not.toContain(file);
});

function childrenOf(parent: number | undefined) {
  return Array.from(processTable().values()).filter((row) => row.parent === parent);
}
