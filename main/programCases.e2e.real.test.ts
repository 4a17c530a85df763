import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import type { ResultCode } from '../app/tool/result.ts';
import {
  command,
  createWorld,
  escalate,
  file,
  program,
  type TestCall,
  type TestSession,
  type World,
} from './core.fixture.ts';
import { isAlive, readProc, signalTo } from './process/identity.ts';
import { until } from './process/until.ts';

let world: World;
afterEach(() => world.close());

const running = (words: string) => world.processes().filter(({ pid }) => readProc(pid, 'cmdline')?.includes(words));

const LOOPS = [
  ['an endless empty loop', 'for (;;) {}'],
  ['an endless loop that awaits what is there', 'for (;;) await null'],
] as const;

describe('an endless loop', () => {
  /** The next program finds the variable, or is told why it is gone. */
  async function expectTold(session: TestSession): Promise<void> {
    const next = await session.one();
    expect(next.status).toBe('ok');
    expect(next.value).toBe(next.lost ? 'undefined' : 'number');
    expect(next.content.includes('variables of earlier programs are gone')).toBe(next.lost !== undefined);
    await session.expectVerified();
  }

  it.each(LOOPS)(
    '8-b: %s is cancelled, and says what became of the variables; the app reacts meanwhile',
    async (_name, loop) => {
      world = await createWorld();
      const session = await world.turns([
        [program('a', 'globalThis.v = 1; 0')],
        [program('b', `console.log('busy'); ${loop}`)],
        [program('c', 'typeof v')],
      ]);
      await session.one();
      await session.begin();
      await world.until(({ push, data }) => push === 'output' && data.callId === 'b');
      expect((await world.request('session.list', {})).sessions).toHaveLength(1);
      await world.request('session.stop', { sessionId: session.id });
      expect(await session.idle()).toBe('aborted');
      expect(await session.result('b')).toMatchObject({ status: 'cancelled', code: 'stopped' });
      // What the agent would have said next.
      expect(await session.turn()).toEqual([]);
      await expectTold(session);
    },
  );

  it.each(LOOPS)('8-b: %s reaches the time limit, and says what became of the variables', async (_name, loop) => {
    world = await createWorld({ settings: { timeouts: { busyMs: 400 } } });
    const session = await world.turns([
      [program('a', 'globalThis.v = 1; 0')],
      [program('b', loop)],
      [program('c', 'typeof v')],
    ]);
    await session.one();
    expect(await session.one()).toMatchObject({ status: 'failed', code: 'timeout' });
    await expectTold(session);
  });
});

it('8-c: whatever a program returns is a success in a readable form, and costs no variable', async () => {
  world = await createWorld();
  const values = [
    ['', /^undefined$/],
    ['1n', /^1n$/],
    ['const o = {}; o.me = o; o', /Circular \*1/],
    ['new Map([[1, { a: 2 }]])', /^Map\(1\)/],
    ['(function named() {})', /Function: named/],
    ['new Date(NaN)', /^Invalid Date$/],
    ["({ get x() { throw new Error('no') } })", /Getter/],
    ["new Proxy({}, new Proxy({}, { get() { throw new Error('trap') } }))", /./],
    ["'x'.repeat(200 << 20)", /209\d{6} more characters$/],
    ['const wide = []; wide[1e9 - 1] = 1; wide', /999999999 empty items>, 1/],
  ] as const;
  const session = await world.turns(
    values.map(([code], at) => [
      program(`a${at}`, `globalThis.kept ??= 'kept'; 0`),
      program(`b${at}`, code),
      program(`c${at}`, 'kept'),
    ]),
  );
  for (const [code, form] of values) {
    const [, returned, after] = await session.turn();
    expect(returned, code).toMatchObject({ status: 'ok', content: expect.stringMatching(form) });
    expect(returned).not.toHaveProperty('value');
    expect(after, code).toMatchObject({ status: 'ok', value: 'kept' });
  }
});

describe('8-e: a nested call is judged as the direct one is', () => {
  const wide = escalate('danger-full-access');
  const calls = (id: string): readonly TestCall[] => [
    file(`${id}-outside`, 'write', { path: '../outside.txt', content: id, ...wide }),
    file(`${id}-plain`, 'write', { path: '../outside.txt', content: id }),
    file(`${id}-inside`, 'write', { path: `${id}.txt`, content: id }),
    command(`${id}-shell`, 'echo x > shell.txt'),
    command(`${id}-wide`, 'echo x > ../shell.txt', wide),
  ];
  const nested = ({ tool, input }: TestCall) =>
    `await tools.${tool}(${JSON.stringify(input)}).then(({ exitCode }) => ['ok', exitCode ?? null], ({ code }) => [code])`;

  it.each([
    ['read-only', 'ask'],
    ['workspace-write', 'ask'],
    ['workspace-write', 'never'],
  ] as const)('under %s and %s', async (mode, policy) => {
    world = await createWorld();
    const code = `const seen = []; ${calls('n')
      .map((call) => `seen.push(${nested(call)})`)
      .join('; ')}; seen`;
    const session = await world.turns([calls('d'), [program('p', code)]]);
    await session.setMode(mode);
    await world.request('approvalPolicy.set', { sessionId: session.id, policy });
    const asked = async (turn: () => Promise<unknown>) => {
      const before = (await session.of('approval/decided')).length;
      const deny = world.core.onPush(({ push, data }) => {
        if (push === 'approval' && data.change === 'asked')
          void world.reply('approval.decide', { approvalId: data.approval.approvalId, decision: 'deny' });
      });
      await turn();
      deny();
      return (await session.of('approval/decided')).slice(before).map(({ by, outcome }) => [by, outcome]);
    };
    let direct: readonly (readonly [ResultCode | 'ok', ...unknown[]])[] = [];
    const directly = await asked(async () => {
      direct = (await session.turn()).map(({ status, code: said, facts }) =>
        status === 'ok' ? ['ok', facts?.exitCode] : [said ?? 'ok'],
      );
    });
    let seen: unknown;
    const inProgram = await asked(async () => (seen = (await session.one()).value));
    expect(JSON.stringify(seen)).toBe(
      JSON.stringify(direct.map(([said, exit]) => (said === 'ok' ? [said, exit ?? null] : [said]))),
    );
    expect(inProgram).toEqual(directly);
    // Under `never` nobody is asked: the policy itself decides.
    expect(directly).toEqual([1, 2].map(() => [policy === 'ask' ? 'person' : 'policy', 'rejected']));
    expect(await session.of('tool/nested-start')).toMatchObject(
      calls('n').map(({ tool }) => ({ tool, rootCallId: 'p', parentCallId: 'p' })),
    );
    await session.expectVerified();
  });
});

describe('8-f: nested calls', () => {
  it('succeed, a hundred instant ones in a row and a slow one', async () => {
    world = await createWorld();
    await writeFile(join(world.workspace, 'a.txt'), 'a');
    const code = `let sum = 0; for (let i = 0; i < 100; i += 1) sum += (await tools.read({ path: 'a.txt' })).bytes;
      [sum, (await tools.bash({ command: 'sleep 2; echo slow' })).exitCode]`;
    const session = await world.turns([[program('a', code)]]);
    expect(await session.one()).toMatchObject({ status: 'ok', value: [100, 0] });
    const results = await session.of('tool/nested-result');
    expect(results.map(({ callId }) => callId)).toEqual(Array.from({ length: 101 }, (_, at) => `a:${at + 1}`));
    expect(new Set(results.map(({ status }) => status))).toEqual(new Set(['ok']));
  });

  it('that is running when the process of its program is killed is told to stop at once, and recorded as cancelled', async () => {
    world = await createWorld();
    const session = await world.turns([
      [program('a', "await tools.bash({ command: 'echo up; sleep 3579' })")],
      [program('b', '1')],
    ]);
    await session.begin();
    await world.until(({ push, data }) => push === 'output' && data.callId === 'a:1' && data.text.includes('up'));
    const sleeper = running('sleep\x003579')[0];
    const [environment] = await session.environments();
    if (!environment || !sleeper) throw new Error('Not running');
    signalTo(environment, 'SIGKILL');
    // Nobody stopped it otherwise: it would sleep for an hour.
    expect(await until(() => !isAlive(sleeper), 15_000)).toBe(true);
    expect(await session.result('a')).toMatchObject({ status: 'failed', code: 'environment-lost' });
    expect(await session.of('tool/nested-result')).toMatchObject([{ callId: 'a:1', status: 'cancelled' }]);
    await session.idle();
    expect(await session.one()).toMatchObject({ status: 'ok', value: 1, lost: { reason: 'crash' } });
    await session.expectVerified();
  });
});

it('PTC-4: a program that prints more than the cap fails as output-limit, with what is kept of it', async () => {
  world = await createWorld();
  const code = `console.log('first'); for (let i = 0; ; i += 1) console.log(i + '-'.repeat(100_000))`;
  const session = await world.turns([[program('a', code)], [program('b', '1')]]);
  const result = await session.one();
  expect(result).toMatchObject({ status: 'failed', code: 'output-limit', lost: { reason: 'output-limit' } });
  expect(result.logs?.bytes).toBeGreaterThan(8 * 1024 * 1024);
  expect(result.logs?.text.length).toBeGreaterThan(60_000);
  expect(result.logs?.text).toMatch(/^-+\n$/);
  expect(result.content).toContain('wrote more output than is allowed');
  expect(await session.one()).toMatchObject({ status: 'ok', value: 1 });
});

it('PTC-9: a program that floods memory takes nothing but its own run with it', async () => {
  world = await createWorld({ settings: { launch: { limits: { heapBytes: 64 * 2 ** 20 } } } });
  const other = await world.turns([[program('o', 'globalThis.v = 1; v')], [program('p', 'v')]]);
  expect((await other.one()).value).toBe(1);
  const session = await world.turns([
    [program('a', 'const hog = []; for (;;) hog.push(new Array(1e6).fill({}))')],
    [program('b', 'typeof hog')],
  ]);
  expect(await session.one()).toMatchObject({ status: 'failed', code: 'heap-limit', lost: { reason: 'heap-limit' } });
  expect(await session.one()).toMatchObject({ status: 'ok', value: 'undefined' });
  expect(await other.one()).toMatchObject({ status: 'ok', value: 1 });
});

it('the limits in force when a program begins are its limits, whatever they were before', async () => {
  world = await createWorld({ settings: { timeouts: { busyMs: 60_000 } } });
  const session = await world.turns([[program('a', '1')], [program('b', 'for (;;) {}')]]);
  await session.one();
  const { revision } = await world.request('settings.get', {});
  await world.request('settings.set', { revision, changes: { timeouts: { busyMs: 300 } } });
  expect(await session.one()).toMatchObject({ status: 'failed', code: 'timeout' });
});

it('a temporary program after another one finds a process that was started before, and the log knows nothing else of it', async () => {
  world = await createWorld();
  const once = { retain: false };
  const session = await world.turns([[program('a', 'process.pid', once)], [program('b', 'typeof before', once)]]);
  await session.one();
  const { pid: first } = (await session.of('environment/started'))[0] ?? {};
  expect(await until(() => running('kernel.cjs').length > 0, 10_000)).toBe(true);
  expect(running('kernel.cjs').map(({ pid }) => pid)).not.toContain(first);
  expect(await session.environments()).toEqual([]);
  expect(await session.one()).toMatchObject({ status: 'ok', value: 'undefined' });
  expect((await session.of('environment/started')).map(({ retained }) => retained)).toEqual([false, false]);
  expect(await session.of('environment/ended')).toHaveLength(2);
  await session.expectVerified();
});
