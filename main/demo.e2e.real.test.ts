import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { createWorld, goneWithin, TestSession, type World } from './core.fixture.ts';
import { isAlive } from './process/identity.ts';
import { until } from './process/until.ts';

let world: World;
afterEach(() => world.close());

async function startDemo(): Promise<TestSession> {
  const { sessionId } = await world.request('demo.start', {});
  return new TestSession(world, sessionId);
}

/** Waits until the long program and its command have said something, and tells the process that the program runs in. */
async function longProcess(session: TestSession) {
  for (const callId of ['long', 'long:1'])
    await world.until(({ push, data }) => push === 'output' && data.sessionId === session.id && data.callId === callId);
  const [environment] = await session.environments();
  if (!environment) throw new Error('The long program runs nowhere');
  return environment;
}

const projectFile = (name: string, project = 'project') => join(world.folder, 'home-demo', project, name);
const exists = (path: string) =>
  stat(path).then(
    () => true,
    () => false,
  );

it('tells the mission: writes, is denied, asks, keeps its variable, and is stopped by a switch', async () => {
  world = await createWorld();
  const session = await startDemo();
  expect(await session.result('notes')).toMatchObject({ status: 'ok', value: { created: true } });
  expect(await readFile(projectFile('notes.md'), 'utf8')).toContain('offline demo');
  expect(await session.result('count')).toMatchObject({ status: 'ok', value: 1 });

  expect(await session.result('outside')).toMatchObject({ denied: [{ mode: 'workspace-write' }] });
  expect(await exists(projectFile('../outside.txt'))).toBe(false);
  const question = await session.asked('asked');
  expect(question).toMatchObject({ tool: 'bash', scope: { from: 'workspace-write', to: 'danger-full-access' } });
  await session.decide('asked', 'allow-once');
  expect(await session.result('asked')).toMatchObject({
    status: 'ok',
    facts: { exitCode: 0 },
    receipt: { approvalId: question.approvalId, releasedBeforeReturn: true, standing: 'unchanged' },
  });
  expect(await readFile(projectFile('../outside.txt'), 'utf8')).toBe('Written by the demo\n');
  expect(await session.result('again')).toMatchObject({ status: 'ok', value: 2 });

  const program = await longProcess(session);
  const { stopping } = await world.request('preset.set', { sessionId: session.id, preset: 'read-only' });
  expect(stopping).toMatchObject([
    { what: 'environment', mode: 'workspace-write', pid: program.pid },
    { what: 'nested', mode: 'workspace-write' },
  ]);
  expect(await session.result('long')).toMatchObject({ status: 'cancelled', code: 'mode-changed' });
  expect(await session.result('left')).toMatchObject({ status: 'ok', value: 'undefined' });
  expect(await until(() => !isAlive(program), 5_000)).toBe(true);
  expect(await session.result('later')).toMatchObject({ status: 'refused', code: 'denied' });
  expect(await exists(projectFile('later.md'))).toBe(false);
  expect(await session.idle()).toBe('completed');
  await session.expectVerified();
});

it('goes on where the person denied, and where the long program was stopped by hand', async () => {
  world = await createWorld();
  const session = await startDemo();
  await session.decide('asked', 'deny');
  expect(await session.result('asked')).toMatchObject({ status: 'refused', code: 'rejected' });
  expect(await session.result('again')).toMatchObject({ status: 'ok', value: 2 });
  await longProcess(session);
  await world.request('session.stop', { sessionId: session.id });
  expect(await session.result('long')).toMatchObject({ status: 'cancelled', code: 'stopped' });
  expect(await session.idle()).toBe('aborted');

  await session.begin();
  expect(await session.result('left')).toMatchObject({ status: 'ok' });
  expect(await session.result('later')).toMatchObject({ status: 'ok' });
  expect(await session.idle()).toBe('completed');
  expect(await exists(projectFile('../outside.txt'))).toBe(false);
});

it('is stopped by a switch to more as well, which withdraws the question and takes the variable', async () => {
  world = await createWorld();
  const session = await startDemo();
  await session.asked('asked');
  await world.request('preset.set', { sessionId: session.id, preset: 'danger-full-access' });
  expect(await session.result('asked')).toMatchObject({ status: 'cancelled', code: 'mode-changed' });
  expect(await session.result('again')).toMatchObject({ status: 'failed', code: 'exception' });
  await longProcess(session);
  await world.request('preset.set', { sessionId: session.id, preset: 'workspace-write' });
  expect(await session.result('long')).toMatchObject({ status: 'cancelled', code: 'mode-changed' });
  expect(await session.result('later')).toMatchObject({ status: 'ok' });
  expect(await session.idle()).toBe('completed');
});

it('works in a folder of its own each time, beside the data folder, and leaves no process', async () => {
  world = await createWorld();
  const sessions = [await startDemo(), await startDemo()];
  const views = await Promise.all(sessions.map((session) => session.view()));
  const folder = join(world.folder, 'home-demo');
  expect(views.map(({ workspace }) => workspace)).toEqual([join(folder, 'project'), join(folder, 'project-2')]);
  expect(views.map(({ title }) => title)).toEqual(['Offline demo', 'Offline demo']);
  for (const session of sessions) await session.asked('asked');
  expect(await readFile(projectFile('notes.md', 'project-2'), 'utf8')).toContain('offline demo');
  await world.core.close();
  expect(await goneWithin(world.folder, 5_000)).toEqual([]);
});

it('needs a preset that writes in the workspace and asks, whatever it is called', async () => {
  const mine = { sandbox: 'workspace-write', approval: 'ask' };
  world = await createWorld({
    settings: { presets: { wide: { sandbox: 'danger-full-access', approval: 'never' }, mine } },
  });
  expect((await (await startDemo()).view()).preset).toBe('mine');
  const { revision } = await world.request('settings.get', {});
  await world.request('settings.set', { revision, changes: { presets: { mine: null } } });
  expect(await world.reply('demo.start')).toMatchObject({ ok: false, code: 'unknown-preset' });
  expect(await exists(projectFile('', 'project-2'))).toBe(false);
});
