import { afterEach, expect, it } from 'vitest';
import { command, createWorld, type World } from './core.fixture.ts';

let world: World;
afterEach(() => world.close());

const LINES = 'seq -f "%015g" 1 100000';

it('the whole of a long output can be paged, also of a Session that is not open, and of no other Session', async () => {
  world = await createWorld();
  const session = await world.turns([[command('long', LINES)]]);
  const { facts } = await session.one();
  const { blob = '', bytes } = facts?.output ?? {};
  expect(bytes).toBe(1_600_000);
  const first = await world.request('text.read', { sessionId: session.id, blob });
  expect(first).toMatchObject({ from: 0, next: 64 * 1024, bytes });
  expect(first.text.startsWith('000000000000001\n000000000000002\n')).toBe(true);
  const last = await world.request('text.read', { sessionId: session.id, blob, from: 1_599_984, bytes: 256 * 1024 });
  expect(last).toEqual({ text: '000000000100000\n', from: 1_599_984, bytes });

  const other = await world.turns([]);
  const stranger = await world.reply('text.read', { sessionId: other.id, blob });
  expect(stranger).toMatchObject({ ok: false, code: 'not-found', message: expect.stringContaining(blob) as string });
  const nobody = await world.reply('text.read', { sessionId: 's_nobody', blob });
  expect(nobody).toMatchObject({ ok: false, code: 'not-found', message: 'There is no Session s_nobody.' });

  const { folder } = world;
  await world.close({ keep: true });
  world = await createWorld({ folder });
  expect(await world.request('text.read', { sessionId: session.id, blob })).toEqual(first);
});
