import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { median, quantile, timed, type Row } from './measure.ts';

const CLI = join(dirname(dirname(import.meta.dirname)), 'main', 'cli.ts');

/** The same setter as a client of `control` sees it: with its way there and back, and the disk. */
export async function measureControl(calls = 200): Promise<readonly Row[]> {
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-bench-'));
  const workspace = join(folder, 'workspace');
  await mkdir(workspace);
  const child = spawn(process.execPath, [CLI, 'control'], {
    env: { ...process.env, GATEHOUSE_HOME: join(folder, 'home') },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const exit = once(child, 'exit');
  const waiting = new Map<number, (reply: Reply) => void>();
  createInterface({ input: child.stdout }).on('line', (line) => {
    const reply = JSON.parse(line) as Reply; // Control writes nothing else.
    if (reply.id !== undefined) waiting.get(reply.id)?.(reply);
  });
  let last = 0;
  const request = async (name: string, input: object): Promise<unknown> => {
    last += 1;
    const { promise, resolve } = Promise.withResolvers<Reply>();
    waiting.set(last, resolve);
    child.stdin.write(`${JSON.stringify({ id: last, request: name, input })}\n`);
    const reply = await promise;
    if (!reply.ok) throw new Error(`${name}: ${reply.message}`);
    return reply.output;
  };
  try {
    const { sessionId } = (await request('session.create', { workspace })) as { sessionId: string };
    const times: number[] = [];
    for (let call = 0; call < calls; call += 1) {
      const mode = call % 2 === 0 ? 'read-only' : 'workspace-write';
      times.push(await timed(() => request('mode.set', { sessionId, mode })));
    }
    return [
      { name: 'mode.set through control, median', unit: 'ms', measured: median(times) },
      { name: 'mode.set through control, p99', unit: 'ms', measured: quantile(times, 0.99) },
    ];
  } finally {
    child.stdin.end();
    await exit;
    await rm(folder, { recursive: true, force: true });
  }
}

/** A reply, or a push where there is no id. */
interface Reply {
  readonly id?: number;
  readonly ok?: boolean;
  readonly output?: unknown;
  readonly message?: string;
}
