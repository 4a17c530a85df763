import { afterEach, expect, it, vi } from 'vitest';
import { policyContext } from '../app/policy/context.ts';
import { history } from '../app/session/history.ts';
import { command, createWorld, file, program, TestSession, type World } from './core.fixture.ts';

// Some start the product three times.
vi.setConfig({ testTimeout: 60_000 });

let world: World;
afterEach(() => world.close());

const ASKING = policyContext({ mode: 'workspace-write', policy: 'ask' });
const NARROW = policyContext({ mode: 'read-only', policy: 'ask' });

/** What each request of the Session was told, by the log alone. */
async function requests(session: TestSession): Promise<readonly (readonly string[])[]> {
  const events = await session.events();
  return events.flatMap((event) => {
    if (event.type !== 'step/start') return [];
    const request = history(events.slice(0, event.data.through + 1));
    return [request.flatMap((message) => (message.role === 'context' ? [message.text] : []))];
  });
}
const contexts = async (session: TestSession) => (await session.of('context/policy')).map(({ text }) => text);

it('the standing policy is told once, right before the first step, and again only when its bytes change', async () => {
  world = await createWorld();
  const session = await world.turns([[command('a', 'true')], [command('b', 'true')], [command('c', 'true')]]);
  await session.turn();
  await session.turn();
  const types = await session.types();
  expect(types.indexOf('context/policy')).toBe(types.indexOf('step/start') - 1);
  expect(await contexts(session)).toEqual([ASKING]);
  // The value in force, set again by hand and by its preset, is no news.
  await session.setMode('workspace-write');
  await world.request('preset.set', { sessionId: session.id, preset: 'workspace-write' });
  await session.turn();
  expect(await contexts(session)).toEqual([ASKING]);
  expect((await requests(session)).every((told) => told.length === 1)).toBe(true);
  await session.expectVerified();
});

it('a switch during a turn and one between two turns are told to the next request, with old and new value', async () => {
  world = await createWorld();
  const session = await world.turns([[program('a', 'await new Promise(() => {})')], [command('b', 'true')]]);
  await session.begin();
  await session.started('a');
  await session.setMode('read-only');
  await session.idle();
  await world.request('approvalPolicy.set', { sessionId: session.id, policy: 'never' });
  await session.turn();
  const toReadOnly = 'The sandbox mode was changed from workspace-write to read-only.';
  const toNever = 'The approval policy was changed from ask to never.';
  const never = policyContext({ mode: 'read-only', policy: 'never' });
  const [first, second, ...later] = await requests(session);
  expect([first, second]).toEqual([[ASKING], [ASKING, toReadOnly, NARROW]]);
  expect(later).toEqual(Array.from({ length: 2 }, () => [ASKING, toReadOnly, NARROW, toNever, never]));
});

it('after a restart it is told again only when its bytes have changed since', async () => {
  world = await createWorld();
  const session = await world.turns([[command('a', 'true')], [command('b', 'true')], [command('c', 'true')]]);
  await session.turn();
  await world.close({ keep: true });
  world = await createWorld({ folder: world.folder });
  const resumed = new TestSession(world, session.id);
  await resumed.turn();
  expect(await contexts(resumed)).toEqual([ASKING]);
  await world.close({ keep: true });
  world = await createWorld({ folder: world.folder });
  const again = new TestSession(world, session.id);
  await again.setMode('read-only');
  await again.turn();
  expect(await contexts(again)).toEqual([ASKING, NARROW]);
});

const SUGGESTS = /call again with escalate: \{to: danger-full-access, justification\}/;
const denied = [
  file('write', 'write', { path: '../no.txt', content: 'x' }),
  command('bash', 'echo x > ../no.txt'),
  command('cwd', 'true', { cwd: '/' }),
  program('nested', "await tools.write({ path: '../no.txt', content: 'x' })"),
  program('own', "require('node:fs').writeFileSync('../no.txt', 'x')"),
  // These two cannot be allowed more.
  file('read', 'read', { path: '/root/.ssh/id_rsa' }),
  { id: 'job', tool: 'job_start', input: { title: 'job', command: 'true', cwd: '/' } },
];

it('a denied call names the mode, and an escalation where its tool could be allowed one', async () => {
  world = await createWorld();
  const session = await world.turns([denied]);
  const told = Object.fromEntries((await session.turn()).map(({ callId, content }) => [callId, content]));
  for (const callId of ['write', 'bash', 'nested', 'own'])
    expect([callId, told[callId]]).toEqual([callId, expect.stringMatching(SUGGESTS)]);
  for (const { id } of denied) expect([id, told[id]]).toEqual([id, expect.stringContaining('workspace-write')]);
  for (const callId of ['read', 'job']) expect([callId, told[callId]?.includes('escalat')]).toEqual([callId, false]);
});

it('under never no denied call suggests an escalation, and those that could have one say not to ask', async () => {
  world = await createWorld();
  const session = await world.turns([denied]);
  await world.request('approvalPolicy.set', { sessionId: session.id, policy: 'never' });
  const told = Object.fromEntries((await session.turn()).map(({ callId, content }) => [callId, content]));
  for (const callId of ['write', 'bash', 'nested', 'own'])
    expect([callId, told[callId]]).toEqual([callId, expect.stringContaining('do not ask for escalation')]);
  for (const { id } of denied) expect([id, told[id]]).not.toEqual([id, expect.stringMatching(SUGGESTS)]);
});
