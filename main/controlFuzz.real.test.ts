import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { assertGone } from './core.fixture.ts';
import { fuzzLine, owed, type FuzzLine } from './controlFuzz.fixture.ts';

// A whole process, and some hundred megabytes for it to read.
vi.setConfig({ testTimeout: 60_000 });

const LIMIT = 16 * 1024 * 1024;
const MIB = 1024 * 1024;

let folder: string;
let door: ReturnType<typeof start>;
beforeAll(async () => {
  folder = await mkdtemp('/var/tmp/gatehouse-fuzz-');
  door = start(join(folder, 'home'));
});
afterAll(async () => {
  door.destroy();
  await assertGone(folder);
  await rm(folder, { recursive: true, force: true });
});

/** A real `gatehouse control` that is told bytes, and the ids that it answers with. */
function start(home: string) {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'cli.ts'), 'control'], {
    env: { ...process.env, GATEHOUSE_HOME: home },
    stdio: ['pipe', 'pipe', 'ignore'],
    // Leads a group of its own, so that whatever happens all of it can be ended.
    detached: true,
  });
  const exit = once(child, 'close').then(([code]) => code as number | null);
  child.stdin.on('error', () => undefined); // It may have ended before it has read everything.
  const told: { readonly id: unknown; readonly ok: boolean }[] = [];
  let listen: () => void = () => undefined;
  createInterface({ input: child.stdout }).on('line', (line) => {
    const message = JSON.parse(line) as { readonly id: unknown; readonly ok: boolean } | { readonly push: string };
    if ('push' in message) return;
    told.push(message);
    listen();
  });
  const send = async (line: FuzzLine) => {
    if (!child.stdin.write(line)) await Promise.race([once(child.stdin, 'drain'), exit]);
    child.stdin.write('\n');
  };
  /** Resolves when `count` replies have come; rejects when it has ended before. */
  const heard = async (count: number) => {
    const met = Promise.withResolvers<void>();
    listen = () => told.length >= count && met.resolve();
    listen();
    await Promise.race([met.promise, exit.then((code) => Promise.reject(new Error(`It ended with ${code}`)))]);
  };
  const destroy = () => {
    try {
      process.kill(-(child.pid ?? 0), 'SIGKILL');
    } catch {
      // It has ended.
    }
  };
  const end = () => (child.stdin.end(), exit);
  return { pid: child.pid ?? 0, told, send, heard, end, destroy };
}

/** The most memory that the process ever had resident, in bytes. */
async function peak(): Promise<number> {
  const status = await readFile(`/proc/${door.pid}/status`, 'utf8');
  return 1024 * Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1]);
}

/** Lines of every kind, among them one that is a byte too long and one with an id of 8 MiB; none starts the demo. */
function lines(seed: number): readonly FuzzLine[] {
  const sampled = fc.sample(fuzzLine, { seed, numRuns: 150 }).filter((line) => !line.includes('demo.'));
  const tooLong = Buffer.alloc(LIMIT + 1, 'x');
  const hugeId = Buffer.from(JSON.stringify({ id: 'i'.repeat(8 * MIB), request: 'session.list', input: {} }));
  return [...sampled.slice(0, 50), tooLong, ...sampled.slice(50, 100), hugeId, ...sampled.slice(100)];
}

it('the product itself answers every line of every kind once, keeps none of them, and serves the next', async () => {
  const before = JSON.stringify({ id: 'before', request: 'session.list', input: {} });
  await door.send(Buffer.from(before));
  const sent: FuzzLine[] = [Buffer.from(before)];
  const peaks: number[] = [];
  for (const seed of [1, 2, 3, 4]) {
    const after = Buffer.from(JSON.stringify({ id: `after ${seed}`, request: 'session.list', input: {} }));
    for (const line of [...lines(seed), after]) {
      sent.push(line);
      await door.send(line);
    }
    await door.heard(sent.length);
    expect(door.told).toContainEqual({ id: `after ${seed}`, ok: true, output: { sessions: [] } });
    peaks.push(await peak());
  }
  const ids = (all: readonly unknown[]) => all.map((id) => JSON.stringify(id)).toSorted();
  expect(ids(door.told.map(({ id }) => id))).toEqual(ids(sent.map((line) => owed(line, LIMIT))));
  // What a line of that size costs at all is paid by the first round.
  expect((peaks.at(-1) ?? Infinity) - (peaks[0] ?? 0)).toBeLessThan(128 * MIB);
  expect(await door.end()).toBe(0);
});
