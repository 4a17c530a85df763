import { execFileSync } from 'node:child_process';
import {
  chownSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { SandboxPolicy } from '../../app/sandbox/policy.ts';
import type { Mode } from '../../app/sandbox/mode.ts';
import { createWorld, run, type World } from './world.fixture.ts';
import { linkedGitOf } from './worktree.ts';

let world: World;
let main: string;
beforeEach(() => {
  world = createWorld();
  main = join(world.base, 'main');
  git(world.base, 'init', '-q', '-b', 'main', main);
  writeFileSync(join(main, 'src'), 'original\n');
  git(main, 'add', '.');
  commit(main, 'first');
  git(main, 'branch', 'old');
  git(main, 'pack-refs', '--all');
  rmSync(world.workspace, { recursive: true });
  git(main, 'worktree', 'add', '-q', '-b', 'side', world.workspace);
});
afterEach(() => world.remove());

function git(folder: string, ...words: readonly string[]): string {
  return execFileSync('git', ['-C', folder, ...words], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
}

function commit(folder: string, message: string): void {
  git(folder, '-c', 'user.name=a', '-c', 'user.email=a@b.c', 'commit', '-qm', message);
}

/** The policy of a call here, as a Session resolves it. */
function policy(mode: Mode = 'workspace-write', hide: readonly string[] = []): SandboxPolicy {
  const plain = world.policy(mode, { hide });
  const linked = linkedGitOf(plain);
  return { ...plain, ...(linked && { linked }) };
}

const shell = (script: string, at = policy()) => run(world, { policy: at, argv: ['bash', '-c', script] });
const IDENTITY = 'export GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a@b.c GIT_COMMITTER_NAME=a GIT_COMMITTER_EMAIL=a@b.c;';

describe('a workspace that is a linked worktree', () => {
  it('2-b: can be committed to, seen from the main repository, and nothing else of that is written', async () => {
    const work =
      'echo x > made && git add made && git commit -qm second && git branch b && git branch -D old && git gc -q';
    expect(await shell(`${IDENTITY} ${work}`)).toMatchObject({ exitCode: 0 });
    expect(git(main, 'log', '--format=%s', 'side')).toBe('second\nfirst\n');
    expect(git(main, 'branch', '--format=%(refname:short)')).toBe('b\nmain\nside\n');
    const config = readFileSync(join(main, '.git/config'), 'utf8');
    const tries = ['src', '.git/hooks/post-commit', '.git/config', '.git/HEAD', '.git/index', '.git/info/attributes'];
    const output = await shell(tries.map((name) => `echo pwned >> ${main}/${name} && echo ALLOWED;`).join(' '));
    expect(output.output).not.toContain('ALLOWED');
    expect(readFileSync(join(main, '.git/config'), 'utf8')).toBe(config);
    expect(git(main, 'status', '--short')).toBe('');
    expect(existsSync(join(main, '.git/hooks/post-commit'))).toBe(false);
  });

  it('2-b: cannot be turned into the worktree of something else from inside', async () => {
    const entry = join(main, '.git/worktrees/ws');
    const forge = [
      `echo x > .git`,
      `mv .git g`,
      `rm .git`,
      ...['commondir', 'gitdir'].map((name) => `echo / > ${entry}/${name}`),
    ];
    const script = [...forge, `mv ${entry} ${entry}2`, `mv ${main}/.git ${main}/g`].map(
      (line) => `${line} && echo ALLOWED`,
    );
    expect((await shell(script.join('; '))).output).not.toContain('ALLOWED');
    expect(git(world.workspace, 'rev-parse', '--git-dir')).toBe(`${entry}\n`);
  });

  it('writes nothing under read-only, and git reads', async () => {
    const output = await shell(
      `git log --format=%s; echo x > ${main}/.git/objects/x && echo ALLOWED`,
      policy('read-only'),
    );
    expect(output.output).toContain('first\n');
    expect(output.output).not.toContain('ALLOWED');
  });

  it('gives the shared folder no new names where hooks could be made, and still commits', async () => {
    rmSync(join(main, '.git/hooks'), { recursive: true });
    const script = `${IDENTITY} echo x > made && git add made && git commit -qm second; mkdir ${main}/.git/hooks && echo ALLOWED`;
    expect((await shell(script)).output).not.toContain('ALLOWED');
    expect(git(main, 'log', '--format=%s', 'side')).toBe('second\nfirst\n');
    expect(existsSync(join(main, '.git/hooks'))).toBe(false);
  });

  it('opens nothing to a policy whose pointer no longer holds at the launch', async () => {
    const at = policy();
    writeFileSync(join(main, '.git/worktrees/ws/gitdir'), join(world.outside, '.git'));
    expect((await shell(`touch ${main}/.git/objects/x && echo ALLOWED`, at)).output).not.toContain('ALLOWED');
  });
});

describe('a forged pointer', () => {
  const keys = () => join(world.outside, 'keys/worktrees/ws');
  const point = (to: string) => writeFileSync(join(world.workspace, '.git'), `gitdir: ${to}\n`);

  /** A folder of keys with whatever makes it look like a git folder. */
  function furnish(back: string): void {
    const common = join(world.outside, 'keys');
    for (const folder of ['objects', 'refs', 'hooks', 'worktrees/ws'])
      mkdirSync(join(common, folder), { recursive: true });
    writeFileSync(join(common, 'HEAD'), 'ref: refs/heads/main\n');
    writeFileSync(join(common, 'config'), '');
    writeFileSync(join(keys(), 'commondir'), '../..\n');
    writeFileSync(join(keys(), 'gitdir'), `${back}\n`);
    point(keys());
  }

  it('2-b: makes a folder of keys neither readable as git nor writable', async () => {
    mkdirSync(keys(), { recursive: true });
    for (const target of [world.outside, join(world.outside, 'keys'), keys()]) {
      point(target);
      expect(linkedGitOf(policy())).toBeUndefined();
      expect((await shell(`echo x > ${target}/pwned && echo ALLOWED`)).output).not.toContain('ALLOWED');
    }
  });

  it('2-b: is none when it is pointed back to, and that is what decides', () => {
    furnish(join(world.workspace, '.git'));
    expect(linkedGitOf(policy())).toMatchObject({ common: join(world.outside, 'keys') });
    furnish(join(world.outside, '.git'));
    expect(linkedGitOf(policy())).toBeUndefined();
    furnish(join(world.workspace, 'git'));
    expect(linkedGitOf(policy())).toBeUndefined();
  });

  it.each<[string, () => void]>([
    ['another common folder', () => writeFileSync(join(keys(), 'commondir'), '../../..\n')],
    ['no configuration', () => rmSync(join(world.outside, 'keys/config'))],
    [
      'a link among its folders',
      () => {
        renameSync(join(world.outside, 'keys/objects'), join(world.outside, 'o'));
        symlinkSync('../o', join(world.outside, 'keys/objects'));
      },
    ],
    [
      'another place than worktrees',
      () => {
        renameSync(join(world.outside, 'keys/worktrees'), join(world.outside, 'keys/trees'));
        point(join(world.outside, 'keys/trees/ws'));
      },
    ],
    [
      'a link in place of the pointer',
      () => {
        renameSync(join(world.workspace, '.git'), join(world.workspace, 'p'));
        symlinkSync('p', join(world.workspace, '.git'));
      },
    ],
  ])('2-b: is refused with %s', (_name, spoil) => {
    furnish(join(world.workspace, '.git'));
    expect(linkedGitOf(policy())).toBeDefined();
    spoil();
    expect(linkedGitOf(policy())).toBeUndefined();
  });

  it('2-b: is refused where the folder is hidden, in the workspace, or somebody else’s', () => {
    furnish(join(world.workspace, '.git'));
    expect(linkedGitOf(policy('workspace-write', [world.outside]))).toBeUndefined();
    chownSync(keys(), process.geteuid?.() === 0 ? 4242 : 0, 0);
    expect(linkedGitOf(policy())).toBeUndefined();
  });
});
