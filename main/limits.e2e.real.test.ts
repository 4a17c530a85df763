import { afterEach, expect, it } from 'vitest';
import { command, createWorld, program, type World } from './core.fixture.ts';

const worlds: World[] = [];
afterEach(async () => {
  await Promise.all(worlds.splice(0).map((world) => world.close()));
});

async function open(limits: Readonly<Record<string, number>>): Promise<World> {
  const world = await createWorld({ settings: { launch: { limits } } });
  worlds.push(world);
  return world;
}

it('PTC-9: ends a command that takes too much memory as a Cleanup, and the Session goes on', async () => {
  const world = await open({ memoryBytes: 300 * 2 ** 20 });
  const hog = `for i in 1 2 3; do perl -e '$x = "x" x (100 << 20); sleep 300' & done; wait`;
  const session = await world.turns([[command('hog', hog)], [command('next', 'echo fine')]]);
  expect(await session.one()).toMatchObject({
    status: 'failed',
    code: 'memory-limit',
    facts: { limit: 'memory', signal: 'SIGKILL', cancelled: false },
    content: expect.stringContaining('300 MiB'),
  });
  expect(await session.one()).toMatchObject({ content: 'fine' });
  expect(await session.of('cleanup/asked')).toMatchObject([{ what: 'command', id: 'hog', cause: { kind: 'limit' } }]);
  expect(await session.of('cleanup/ended')).toMatchObject([{ phase: 'released' }]);
  await session.expectVerified();
});

it('says of a command that printed or stored too much which limit it met, and leaves it its own end', async () => {
  const world = await open({ tempBytes: 4 * 2 ** 20, outputBytes: 100_000 });
  const fill = 'head -c 8000000 /dev/zero > /tmp/fill; code=$?; echo $code; exit $code';
  const session = await world.turns([
    [command('out', 'seq 1 50000')],
    [command('fill', fill)],
    [command('rm', 'rm /tmp/fill')],
  ]);
  expect(await session.one()).toMatchObject({
    status: 'ok',
    code: 'output-limit',
    facts: { limit: 'output', exitCode: 0 },
  });
  expect(await session.one()).toMatchObject({
    status: 'ok',
    code: 'temp-limit',
    facts: { limit: 'temp', exitCode: 1 },
  });
  expect(await session.one()).not.toHaveProperty('code');
});

it('says that unix sockets are blocked where a command or a program met that', async () => {
  const world = await open({});
  const listen = `new Promise((_, fail) => require('net').createServer().on('error', fail).listen('/tmp/a.sock'))`;
  const session = await world.turns([
    [
      command(
        'shell',
        `${JSON.stringify(process.execPath)} -e ${JSON.stringify(`${listen}.catch((fault) => { throw fault })`)}`,
      ),
    ],
    [program('program', `await ${listen}`)],
    [program('other', 'throw new Error("listen failed")')],
  ]);
  for (const id of ['shell', 'program']) {
    expect(await session.one()).toMatchObject({
      callId: id,
      content: expect.stringContaining('unix sockets are blocked in this workspace'),
      denied: [{ operation: 'socket', certain: false }],
    });
  }
  expect((await session.one()).content).not.toContain('blocked');
});
