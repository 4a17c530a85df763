import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { afterEach, expect, it } from 'vitest';

type Child = ChildProcessByStdio<Writable, Readable, Readable>;
const children = new Set<Child>();
afterEach(() => {
  for (const child of children) child.kill('SIGKILL');
  children.clear();
});

function start() {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'controlChild.fixture.ts')], {
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  children.add(child);
  child.stdin.on('error', () => undefined); // It may end before it has read everything.
  const exit = once(child, 'exit') as Promise<[number | null, NodeJS.Signals | null]>;
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const next = async (): Promise<unknown> => JSON.parse(String((await lines.next()).value));
  return { child, exit, errors: text(child.stderr), next, ask: (line: string) => child.stdin.write(`${line}\n`) };
}

const DOCTOR = '{"id":1,"request":"doctor.run"}';
const IDLE = '{"id":2,"request":"session.idle","input":{"sessionId":"s_a"}}';

it('serves half a last line, sends what it owes after its core has closed, and exits 0', async () => {
  const { child, exit, errors, next, ask } = start();
  ask(IDLE);
  child.stdin.end(DOCTOR);
  expect(await next()).toEqual({ id: 1, ok: true, output: { checks: [] } });
  expect(await next()).toEqual({ id: 2, ok: true, output: { reason: 'aborted' } });
  expect(await exit).toEqual([0, null]);
  expect(await errors).toBe('core closed\n');
});

it.each(['SIGTERM', 'SIGINT'] as const)(
  'ends by %s with its input still open: owed replies are sent, exit 0',
  async (signal) => {
    const { child, exit, next, ask } = start();
    ask(IDLE);
    ask(DOCTOR);
    await next();
    child.kill(signal);
    expect(await next()).toEqual({ id: 2, ok: true, output: { reason: 'aborted' } });
    expect(await exit).toEqual([0, null]);
  },
);

it('ends when nobody reads its output any more, with its input still open, exit 0', async () => {
  const { child, exit, errors, next, ask } = start();
  ask(DOCTOR);
  await next();
  child.stdout.destroy();
  ask(DOCTOR); // The reply to this one meets the closed pipe.
  expect(await exit).toEqual([0, null]);
  expect(await errors).toBe('core closed\n');
});

it('skips a line of 300 MB without keeping it, and serves the next', async () => {
  const { child, exit, next, ask } = start();
  const send = async (megabytes: number) => {
    const chunk = Buffer.alloc(1024 * 1024, 'x');
    for (let sent = 0; sent < megabytes; sent += 1) if (!child.stdin.write(chunk)) await once(child.stdin, 'drain');
    ask('');
    ask(DOCTOR);
    expect(await next()).toMatchObject({ id: null, ok: false, code: 'too-large' });
    expect(await next()).toMatchObject({ id: 1, ok: true });
    return peakOf(child);
  };
  // What reading costs at all is paid by the first, which is barely too long.
  const first = await send(17);
  expect((await send(300)) - first).toBeLessThan(100 * 1024);
  child.stdin.end();
  expect(await exit).toEqual([0, null]);
});

/** The most memory that the process ever had resident, in KiB. */
async function peakOf(child: Child): Promise<number> {
  const status = await readFile(`/proc/${child.pid}/status`, 'utf8');
  return Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1]);
}
