import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { command, createWorld, program, type World } from './core.fixture.ts';

const worlds: World[] = [];
afterEach(async () => {
  await Promise.all(worlds.splice(0).map((world) => world.close()));
});

async function open(): Promise<World> {
  const world = await createWorld();
  worlds.push(world);
  return world;
}

it('ends what could write a git folder that a call has made, right after that call, and tells the Session', async () => {
  const world = await open();
  rmSync(join(world.workspace, '.git'), { recursive: true });
  const write = 'try { require("fs").writeFileSync(".git/hooks/pre-commit", "x") } catch (fault) { fault.code }';
  const session = await world.turns([
    [program('before', 'globalThis.v = 1; 0')],
    [command('init', 'git init -q . && mkdir -p .git/hooks && echo made')],
    [program('after', write)],
    [program('there', 'typeof v')],
    [command('hook', 'echo x > .git/hooks/pre-commit')],
  ]);
  await session.one();
  expect(await session.one()).toMatchObject({ content: 'made' });
  const ended = await session.event(({ type }) => type === 'environment/ended');
  expect(ended.data).toMatchObject({ reason: 'protected-entry', cleanupId: expect.any(String) });
  expect(await session.one()).toMatchObject({ lost: { reason: 'protected-entry' }, value: 'EROFS' });
  expect(await session.one()).toMatchObject({ value: 'undefined' });
  expect(await session.one()).toMatchObject({ facts: { exitCode: 1 } });
  expect(existsSync(join(world.workspace, '.git/hooks/pre-commit'))).toBe(false);
  const notices = await session.of('session/notice');
  expect(notices).toEqual([{ code: 'protected-entry', message: expect.stringContaining('.git/hooks') }]);
});

it('keeps the variables of a program where nothing that is protected was made', async () => {
  const world = await open();
  const commit = 'git -c user.name=a -c user.email=a@b.c commit -qm one --allow-empty && git gc -q';
  const session = await world.turns([
    [program('one', 'globalThis.v = 1; 0')],
    [command('git', commit)],
    [program('two', 'v')],
  ]);
  await session.one();
  expect(await session.one()).toMatchObject({ facts: { exitCode: 0 } });
  expect(await session.one()).toMatchObject({ value: 1 });
  expect(await session.of('session/notice')).toEqual([]);
});

it('is noticed before the next program also when nobody’s call made it', async () => {
  const world = await open();
  const session = await world.turns([[program('one', 'globalThis.v = 1; 0')], [program('two', 'typeof v')]]);
  await session.one();
  mkdirSync(join(world.workspace, '.vscode'));
  expect(await session.one()).toMatchObject({ lost: { reason: 'protected-entry' }, value: 'undefined' });
});

it('does not let a program write a protected file that somebody has replaced since it started', async () => {
  const world = await open();
  const config = join(world.workspace, '.git/config');
  const write = 'try { require("fs").appendFileSync(".git/config", "x") } catch (fault) { fault.code }';
  const session = await world.turns([[program('one', write)], [program('two', write)]]);
  expect(await session.one()).toMatchObject({ value: 'EROFS' });
  const before = readFileSync(config, 'utf8');
  // As git itself does it: what was mounted on the old file is gone with it.
  writeFileSync(`${config}.lock`, before);
  renameSync(`${config}.lock`, config);
  expect(await session.one()).toMatchObject({ lost: { reason: 'protected-entry' }, value: 'EROFS' });
  expect(readFileSync(config, 'utf8')).toBe(before);
});
