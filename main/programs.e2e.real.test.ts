import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { aroundLaunch, command, createWorld, program, type World } from './core.fixture.ts';
import { readProc } from './process/identity.ts';

let world: World;
afterEach(() => world.close());

const kernels = () => world.processes().filter(({ pid }) => readProc(pid, 'cmdline')?.includes('kernel.cjs'));

it('PTC-2: a program with a syntax error is refused with its place, and no process was started', async () => {
  world = await createWorld();
  const session = await world.turns([[program('a', 'let ok = 1;\nlet = ;'), program('b', 'enum E { A }\nE.A')]]);
  const [broken, notErasable] = await session.turn();
  expect(broken).toMatchObject({
    status: 'refused',
    code: 'syntax',
    content: expect.stringMatching(/line 2, column \d+/),
  });
  expect(notErasable).toMatchObject({ status: 'refused', code: 'syntax' });
  expect(kernels()).toEqual([]);
  expect(await session.types()).not.toContain('environment/started');
});

it('PTC-5: the busy time of the settings holds, also beside a call that does not end (PTC-6: awaiting costs nothing)', async () => {
  world = await createWorld({ settings: { timeouts: { busyMs: 400 } } });
  const session = await world.turns([
    [program('a', "await tools.bash({ command: 'sleep 1' }); 'slow'")],
    [program('b', "void tools.bash({ command: 'sleep 60' }); for (;;) {}")],
    [program('c', '1')],
  ]);
  expect(await session.one()).toMatchObject({ status: 'ok', value: 'slow' });
  expect(await session.one()).toMatchObject({ status: 'failed', code: 'timeout' });
  expect(await session.of('tool/nested-result')).toMatchObject([
    { status: 'ok' },
    { callId: 'b:1', status: 'cancelled' },
  ]);
  expect(await session.one()).toMatchObject({ status: 'ok', value: 1 });
  await session.expectVerified();
});

it('PTC-12: a denied tool of the real policy is a ToolError that a program can catch, and it goes on', async () => {
  world = await createWorld();
  await writeFile(join(world.workspace, 'a.txt'), 'text');
  const code = `const seen = [];
    try { await tools.write({ path: '../no.txt', content: 'x' }) } catch (error) { seen.push([error instanceof ToolError, error.tool, error.code, error.message.length > 0]) }
    try { await tools.read({ path: 'none.txt' }) } catch (error) { seen.push([error.tool, error.code]) }
    seen.push((await tools.read({ path: 'a.txt' })).text); seen`;
  const session = await world.turns([[program('a', code)]]);
  expect((await session.one()).value).toEqual([
    [true, 'write', 'denied', true],
    ['read', 'not-found'],
    expect.stringContaining('text'),
  ]);
});

it('PTC-13: reading calls of a program overlap, and a writing one between them runs alone, in order', async () => {
  world = await createWorld();
  const glob = "tools.glob({ pattern: '*' })";
  const code = `await Promise.all([${glob}, ${glob}, ${glob}, tools.bash({ command: 'sleep 0.05; echo x > new.txt' }), ${glob}, ${glob}].map(async (call) => (await call).paths ?? null))`;
  const session = await world.turns([[program('a', code)]]);
  expect((await session.one()).value).toEqual([[], [], [], null, ['new.txt'], ['new.txt']]);
  const nested = (await session.events()).flatMap(({ type, data }) =>
    type === 'tool/nested-start' || type === 'tool/nested-result'
      ? [`${type === 'tool/nested-start' ? '+' : '-'}${data.callId}`]
      : [],
  );
  expect(nested.slice(0, 3)).toEqual(['+a:1', '+a:2', '+a:3']);
  expect(nested.slice(6, 8)).toEqual(['+a:4', '-a:4']);
  expect(nested.slice(8, 10)).toEqual(['+a:5', '+a:6']);
});

it('PTC-18: without a runtime a program is refused with a remedy, and commands go on', async () => {
  const request: Parameters<typeof aroundLaunch>[0] = {
    request: (asked) =>
      asked.channels === 2 && asked.argv[0] === process.execPath ? { ...asked, argv: ['/none/node', '-v'] } : asked,
  };
  world = await createWorld({ around: aroundLaunch(request) });
  const session = await world.turns([[program('a', '1'), command('b', 'echo on')]]);
  expect(await session.turn()).toMatchObject([
    { status: 'refused', code: 'SANDBOX_UNAVAILABLE', content: expect.stringContaining('Node') },
    { status: 'ok', facts: { exitCode: 0 } },
  ]);
  expect(kernels()).toEqual([]);
});
