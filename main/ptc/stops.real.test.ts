import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Completion } from '../../app/ptc/nodeProvider.ts';
import { isAlive } from '../process/identity.ts';
import { World, type RunOptions, type TestSession } from './world.fixture.ts';

let world: World;
// Whether a stop is answered is asked here; how fast is a benchmark's question.
beforeAll(async () => (world = await World.open({ budgets: { stopMs: 3000 } })));
afterAll(() => world.close());

let count = 0;
const fresh = (of = world): Promise<TestSession> => of.session(`s_${(count += 1)}`);

/** Runs `code` with `ready` as a tool, and aborts when the program has called it. */
async function stopAt(session: TestSession, code: string, options: RunOptions = {}): Promise<Completion> {
  const controller = new AbortController();
  const call = async () => {
    // The reply goes first: the program is past its call, or busy, when the stop arrives.
    setImmediate(() => controller.abort());
    return { ok: true, value: 0 } as const;
  };
  return session.run(code, { ...options, signal: controller.signal, bridge: { tools: ['ready', 'hang'], call } });
}

describe('a stop', () => {
  it.each([
    ['8-b: an endless loop', 'void tools.ready(0); for (;;) {}'],
    ['a loop after an await', 'await tools.ready(0); for (;;) {}'],
    ['a loop that catches everything', 'void tools.ready(0); for (;;) { try { for (;;) {} } catch {} }'],
    ['a loop that goes on in finally', 'void tools.ready(0); for (;;) { try { for (;;) {} } finally { continue } }'],
    ['a catastrophic regular expression', 'void tools.ready(0); /^(a+)+$/.test("a".repeat(40) + "b")'],
    ['Atomics.wait', 'void tools.ready(0); Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)'],
    ['a promise that never settles', 'await tools.ready(0); await new Promise(() => {})'],
    ['a long timer', 'await tools.ready(0); await new Promise((resolve) => setTimeout(resolve, 1e8))'],
    ['a loop of timers', 'void tools.ready(0); for (;;) await new Promise((resolve) => setTimeout(resolve, 1))'],
    ['a loop behind a top-level return', 'void tools.ready(0); for (;;) {}\nreturn 1'],
  ])('PTC-8: is answered and keeps the variables: %s', async (_name, code) => {
    const session = await fresh();
    await session.value('globalThis.a = 5; 0');
    const completion = await stopAt(session, code);
    expect(completion).toMatchObject({ kind: 'stopped', kept: true });
    expect(await session.value('a')).toBe(5);
  });

  it('8-b: of an endless loop that awaits keeps the variables or loses them, and says which', async () => {
    const session = await fresh();
    await session.value('globalThis.a = 5; 0');
    // A termination between two turns of such a loop may break the engine's own: then the process goes, and says so.
    const { kind, kept } = await stopAt(session, 'void tools.ready(0); for (;;) await null');
    expect(kind).toBe(kept ? 'stopped' : 'lost');
    expect((await session.acquire()).lost).toEqual(kept ? undefined : { reason: 'abort' });
    expect(await session.value('typeof a')).toBe(kept ? 'number' : 'undefined');
  });

  it.each([
    ['a blocking child', 'void tools.ready(0); require("node:child_process").execSync("sleep 100")'],
    [
      'a child that is awaited',
      'await tools.ready(0); await new Promise((r) => require("node:child_process").spawn("sleep", ["100"]).on("exit", r))',
    ],
    ['a loop over files', 'await tools.ready(0); for (;;) await require("node:fs/promises").appendFile("grows", "x")'],
    ['a server', 'await tools.ready(0); await new Promise(() => require("node:http").createServer().listen(0))'],
  ])('ends the process when the program could go on: %s', async (_name, code) => {
    const session = await fresh();
    const environment = await session.acquire();
    await session.value('globalThis.a = 5; 0');
    expect(await stopAt(session, code)).toMatchObject({ kind: 'lost', reason: 'abort', kept: false });
    expect(isAlive(environment.process)).toBe(false);
    expect(session.journal.events.at(-1)).toMatchObject({ type: 'environment/ended', data: { reason: 'abort' } });
    expect((await session.acquire()).lost).toEqual({ reason: 'abort' });
  });

  it('8-h: ends a worker thread that loops for ever, whose writes outside were denied', async () => {
    const session = await fresh();
    await mkdir(join(world.folder, 'outside'));
    const target = join(world.folder, 'outside', 'written');
    const worker = `try { require("node:fs").writeFileSync(${JSON.stringify(target)}, "x") } catch (e) { require("node:worker_threads").parentPort.postMessage(e.code) } for (;;) {}`;
    const code = `const w = new (require("node:worker_threads").Worker)(${JSON.stringify(worker)}, { eval: true });
      console.log(await new Promise((r) => w.once("message", r))); await tools.ready(0); await new Promise(() => {})`;
    const environment = await session.acquire();
    const completion = await stopAt(session, code);
    expect(completion).toMatchObject({
      kind: 'lost',
      reason: 'abort',
      logs: { text: expect.stringMatching(/EROFS|EACCES|EPERM|ENOENT/) },
    });
    expect(isAlive(environment.process)).toBe(false);
    expect(existsSync(target)).toBe(false);
  });

  it('PTC-8: in the middle of a loop of a temporary Environment ends its process', async () => {
    const session = await fresh();
    const environment = await session.acquire({ owner: null });
    const controller = new AbortController();
    const running = session.runIn(environment, 'void tools.hang(0); for (;;) {}', {
      signal: controller.signal,
      bridge: { call: () => (controller.abort(), new Promise(() => undefined)) },
    });
    expect(await running).toMatchObject({ kind: 'lost', reason: 'abort' });
    expect(isAlive(environment.process)).toBe(false);
  });

  it('that came before the program lets nothing of it run', async () => {
    const session = await fresh();
    const environment = await session.acquire();
    expect(await session.runIn(environment, 'globalThis.ran = 1', { signal: AbortSignal.abort() })).toMatchObject({
      kind: 'stopped',
    });
    expect(await session.value('typeof ran')).toBe('undefined');
  });

  it('that comes together with the program is answered as well', async () => {
    const session = await fresh();
    const environment = await session.acquire();
    const controller = new AbortController();
    const running = session.runIn(environment, 'for (;;) {}', { signal: controller.signal });
    controller.abort();
    expect(await running).toMatchObject({ kind: 'stopped' });
    expect(await session.value('1')).toBe(1);
  });

  it('leaves timers of earlier programs alone', async () => {
    const session = await fresh();
    await session.value('globalThis.ticks = 0; setInterval(() => (ticks += 1), 1); 0');
    expect(await stopAt(session, 'await tools.ready(0); await new Promise(() => {})')).toMatchObject({
      kind: 'stopped',
    });
    const code = 'const from = ticks; while (ticks < from + 3) await new Promise((r) => setImmediate(r)); "ticking"';
    expect(await session.value(code)).toBe('ticking');
  });
});

describe('a budget', () => {
  let tight: World;
  beforeAll(
    async () =>
      (tight = await World.open({ budgets: { stopMs: 3000, busyMs: 400, wallMs: 4000, outputBytes: 100_000 } })),
  );
  afterAll(() => tight.close());

  it('PTC-5: of busy time ends an endless loop beside a call that never finishes', async () => {
    const session = await fresh(tight);
    expect(await session.run('void tools.hang(0); for (;;) {}')).toMatchObject({ kind: 'stopped' });
    expect(await session.run('void tools.hang(0); for (;;) await new Promise((r) => setImmediate(r))')).toMatchObject({
      kind: 'stopped',
    });
    const temporary = await session.run('void tools.hang(0); for (;;) {}', { owner: null });
    expect(temporary).toMatchObject({ kind: 'lost', reason: 'timeout' });
  });

  it('PTC-6: of busy time is not used by a tool that is slower than it', async () => {
    const session = await fresh(tight);
    const call = () =>
      new Promise<{ ok: true; value: string }>((r) => setTimeout(r, 1200, { ok: true, value: 'slow' }));
    expect(await session.value('await tools.echo(0)', { bridge: { call } })).toBe('slow');
  });

  it('of wall time ends a program that only waits for a tool', async () => {
    const session = await fresh(tight);
    expect(await session.run('await tools.hang(0)')).toMatchObject({ kind: 'stopped', kept: true });
  });

  it('PTC-4: of output ends a flood, and keeps what came before', async () => {
    const session = await fresh(tight);
    const completion = await session.run(
      'console.log("first"); for (let i = 0; ; i++) console.log("line " + i + "-".repeat(1000))',
    );
    expect(completion).toMatchObject({ kind: 'lost', reason: 'output-limit' });
    expect(completion.logs.bytes).toBeGreaterThan(100_000);
    expect(completion.logs.bytes).toBeLessThan(500_000);
    expect(completion.logs.text).toMatch(/line \d+-{1000}\n/);
  });

  it('of output ends a child that floods the descriptors', async () => {
    const session = await fresh(tight);
    const code =
      'await new Promise((r) => require("node:child_process").spawn("yes", { stdio: "inherit" }).on("exit", r))';
    expect(await session.run(code)).toMatchObject({ kind: 'lost', reason: 'output-limit' });
  });

  it('of output ends an Environment whose ended program floods', async () => {
    const session = await fresh(tight);
    const environment = await session.acquire();
    await session.value('setInterval(() => console.log("x".repeat(10_000)), 1); 0');
    await expect.poll(() => isAlive(environment.process), { timeout: 10_000 }).toBe(false);
    expect((await session.acquire()).lost).toEqual({ reason: 'output-limit' });
  });
});

describe('a process that dies', () => {
  it('PTC-9: of its heap takes only its program with it', async () => {
    const session = await fresh();
    session.heapBytes = 64 * 2 ** 20;
    const completion = await session.run('const hog = []; for (;;) hog.push(new Array(1e6).fill({}))');
    expect(completion).toMatchObject({ kind: 'lost', reason: 'heap-limit' });
    expect(await session.value('typeof hog')).toBe('undefined');
  });

  it('by process.exit says so, with what it had said before', async () => {
    const session = await fresh();
    const completion = await session.run('console.log("bye"); process.exit(3)');
    expect(completion).toMatchObject({
      kind: 'lost',
      reason: 'exit',
      exitCode: 3,
      signal: null,
      logs: { text: 'bye\n' },
    });
    expect(session.journal.types()).toEqual(['environment/started', 'environment/ended']);
  });

  it('RET-16: by a crash is replaced by a clean one, and the loss is told once', async () => {
    const session = await fresh();
    await session.value('globalThis.v = 1; 0');
    expect(await session.run('process.kill(process.pid, "SIGKILL")')).toMatchObject({ kind: 'lost', reason: 'crash' });
    const next = await session.acquire();
    expect(next.lost).toEqual({ reason: 'crash' });
    expect(await session.runIn(next, 'typeof v')).toMatchObject({ value: 'undefined' });
    expect((await session.acquire()).lost).toBeUndefined();
  });

  it('while idle is replaced as well', async () => {
    const session = await fresh();
    const first = await session.acquire();
    await session.value('setTimeout(() => process.abort(), 1); 0');
    await expect.poll(() => isAlive(first.process), { timeout: 10_000 }).toBe(false);
    expect(await session.acquire()).toMatchObject({ lost: { reason: 'crash' } });
  });
});
