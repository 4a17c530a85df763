import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { command, createWorld, file, program, type World } from './core.fixture.ts';

const worlds: World[] = [];
afterEach(async () => {
  await Promise.all(worlds.splice(0).map((world) => world.close()));
});

const git = (folder: string, ...words: readonly string[]) =>
  execFileSync('git', ['-C', folder, '-c', 'user.name=a', '-c', 'user.email=a@b.c', ...words], { encoding: 'utf8' });

/** The product with a linked worktree of its repository beside it. */
async function open(): Promise<{ readonly world: World; readonly main: string; readonly workspace: string }> {
  const world = await createWorld();
  worlds.push(world);
  const [main, workspace] = [world.workspace, join(world.folder, 'linked')];
  git(main, 'commit', '-qm', 'first', '--allow-empty');
  git(main, 'worktree', 'add', '-q', '-b', 'side', workspace);
  return { world, main, workspace };
}

const COMMIT = 'git add -A && git -c user.name=a -c user.email=a@b.c commit -qm second';

it('2-b: lets a Session commit in a linked worktree without a question, and write nothing else of the repository', async () => {
  const { world, main, workspace } = await open();
  const outside = ['src', '.git/hooks/post-commit', '.git/config', '.git/worktrees/linked/commondir'];
  const turns = [
    [file('new', 'write', { path: 'made', content: 'x' })],
    [command('commit', COMMIT)],
    ...outside.map((path) => [file(path, 'write', { path: join(main, path), content: 'pwned' })]),
    [program('program', `require('fs').appendFileSync(${JSON.stringify(join(main, '.git/config'))}, 'x')`)],
  ];
  const session = await world.turns(turns, { workspace });
  const config = readFileSync(join(main, '.git/config'), 'utf8');
  await session.one();
  expect(await session.one()).toMatchObject({ status: 'ok', facts: { exitCode: 0 } });
  expect(git(main, 'log', '--format=%s', 'side')).toBe('second\nfirst\n');
  for (const path of outside) {
    expect(await session.one()).toMatchObject({ callId: path, status: 'refused', code: 'denied' });
  }
  expect(await session.one()).toMatchObject({ status: 'failed', content: expect.stringContaining('EROFS') });
  expect(readFileSync(join(main, '.git/config'), 'utf8')).toBe(config);
  expect([existsSync(join(main, 'src')), existsSync(join(main, '.git/hooks/post-commit'))]).toEqual([false, false]);
  expect((await session.of('approval/asked')).length).toBe(0);
});

it('2-b: opens nothing where the pointer of the worktree is replaced by a forged one, and shows the commit as failed', async () => {
  const { world, workspace } = await open();
  const keys = join(world.folder, 'keys');
  mkdirSync(join(keys, 'objects'), { recursive: true });
  writeFileSync(join(keys, 'key'), 'secret');
  const session = await world.turns(
    [
      [file('tool', 'write', { path: join(keys, 'objects/x'), content: 'x' })],
      [command('shell', `echo x > ${join(keys, 'objects/y')}`)],
      [command('commit', COMMIT)],
    ],
    { workspace },
  );
  writeFileSync(join(workspace, '.git'), `gitdir: ${keys}\n`);
  expect(await session.one()).toMatchObject({ status: 'refused', code: 'denied' });
  expect((await session.one()).facts?.exitCode).not.toBe(0);
  expect((await session.one()).facts?.exitCode).toBe(128);
  expect([existsSync(join(keys, 'objects/x')), existsSync(join(keys, 'objects/y'))]).toEqual([false, false]);
});
