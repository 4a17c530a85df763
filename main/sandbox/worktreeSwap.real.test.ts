import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { isWithin } from '../../app/sandbox/place.ts';
import { nestedProtected } from './nestedGit.ts';
import { surveyOf } from './survey.ts';
import { createLinkedWorld, git, linkedPolicy, type LinkedWorld } from './worktree.fixture.ts';
import { linkedGitOf } from './worktree.ts';
import { createWorld, run, type World } from './world.fixture.ts';

const worlds: World[] = [];
afterEach(async () => {
  vi.unstubAllEnvs();
  await Promise.all(worlds.splice(0).map((world) => world.remove()));
});

function linkedWorld(...options: Parameters<typeof createLinkedWorld>): LinkedWorld {
  const made = createLinkedWorld(...options);
  worlds.push(made.world);
  return made;
}

function swap(path: string, target: string): void {
  renameSync(path, `${path}-kept`);
  symlinkSync(target, path);
}

describe('a linked worktree whose git folder holds a link', () => {
  it.each(['logs', 'objects', 'refs', 'worktrees', 'worktrees/ws'])(
    '2-b: opens nothing where %s leads to another folder',
    async (name) => {
      const { world, main, policy, shell } = linkedWorld();
      const before = policy();
      writeFileSync(join(world.userHome, '.bashrc'), '# mine\n');
      swap(join(main, '.git', name), world.userHome);
      expect(policy().linked).toBeUndefined();
      for (const at of [policy(), before])
        expect(await shell(`echo pwned >> ${world.userHome}/.bashrc && echo ALLOWED`, at)).not.toContain('ALLOWED');
      expect(readFileSync(join(world.userHome, '.bashrc'), 'utf8')).toBe('# mine\n');
    },
  );

  it('2-b: shows nothing of what is hidden through one', async () => {
    const { world, main, shell } = linkedWorld();
    writeFileSync(join(world.home, 'key'), 'SECRET\n');
    swap(join(main, '.git/logs'), world.home);
    expect(await shell(`cat ${world.home}/key ${main}/.git/logs/key`)).not.toContain('SECRET');
  });

  it('2-b: cannot be given one from inside in place of what every worktree writes', async () => {
    const { world, main, shell } = linkedWorld();
    const tries = ['logs', 'objects', 'refs'].map(
      (name) => `mv ${name} ${name}.lock && ln -s ${world.userHome} ${name} && echo ALLOWED`,
    );
    expect(await shell(`cd ${main}/.git; ${tries.join('; ')}`)).not.toContain('ALLOWED');
  });

  it('2-b: opens nothing when one appears after the launch was asked for', async () => {
    let arrive = () => {};
    const { world, main, policy, shell } = linkedWorld({ widenPath: (own) => (arrive(), own) });
    rmSync(join(main, '.git/hooks'), { recursive: true });
    const at = policy();
    expect(at.linked).toMatchObject({ whole: false });
    arrive = () => {
      arrive = () => {};
      swap(join(main, '.git/refs'), world.userHome);
    };
    expect(await shell(`touch ${world.userHome}/x && echo ALLOWED`, at)).not.toContain('ALLOWED');
    expect(existsSync(join(main, '.git/refs-kept'))).toBe(true);
  });
});

describe('a git folder that is no linked worktree’s business', () => {
  it('2-b: does not open a writable root’s own hooks when it is made inside of that', async () => {
    const world = createWorld();
    worlds.push(world);
    const root = join(world.base, 'sibling');
    git(world.base, 'init', '-q', '-b', 'main', root);
    const policy = () => linkedPolicy(world, { writableRoots: [root] });
    const shell = async (script: string) =>
      (await run(world, { policy: policy(), argv: ['bash', '-c', script] })).output;
    await shell(`cd ${root}; mkdir -p objects refs worktrees/e; echo 'ref: refs/heads/main' > HEAD; : > config
      echo ../.. > worktrees/e/commondir; echo ${world.workspace}/.git > worktrees/e/gitdir
      echo 'gitdir: ${root}/worktrees/e' > ${world.workspace}/.git`);
    expect(existsSync(join(root, 'worktrees/e/gitdir'))).toBe(true);
    expect(policy().linked).toBeUndefined();
    const tries = ['hooks/post-commit', 'config'].map((name) => `echo x >> ${root}/.git/${name} && echo ALLOWED`);
    expect(await shell(tries.join('; '))).not.toContain('ALLOWED');
  });

  it('2-b: is refused where it overlaps a writable root, a hidden folder or the home folder', () => {
    const { world, main, policy } = linkedWorld();
    const common = join(main, '.git');
    const linkedWith = (settings: Parameters<typeof policy>[0]) => linkedGitOf(policy(settings));
    expect(linkedWith({})).toMatchObject({ common });
    for (const each of [main, common, join(common, 'objects')]) {
      expect(linkedWith({ writableRoots: [each] })).toBeUndefined();
      expect(linkedWith({ hide: [each] })).toBeUndefined();
    }
    symlinkSync(main, join(world.base, 'alias'));
    expect(linkedWith({ hide: [join(world.base, 'alias')] })).toBeUndefined();
    vi.stubEnv('HOME', join(common, 'refs'));
    expect(linkedWith({})).toBeUndefined();
  });
});

describe('what of an ordinary git folder runs programs', () => {
  function furnished(): { readonly world: World; readonly other: string } {
    const world = createWorld();
    worlds.push(world);
    const [dependency, other] = [join(world.base, 'dependency'), join(world.base, 'other')];
    for (const folder of [dependency, world.workspace]) {
      git(world.base, 'init', '-q', '-b', 'main', folder);
      writeFileSync(join(folder, 'file'), 'x\n');
      git(folder, 'add', '.');
      git(folder, 'commit', '-qm', 'first');
    }
    git(world.workspace, 'submodule', 'add', '-q', dependency, 'libs/sub');
    mkdirSync(join(world.workspace, '.git/modules/libs/sub/modules/deep/hooks'), { recursive: true });
    writeFileSync(join(world.workspace, '.git/modules/libs/sub/modules/deep/config'), '');
    git(world.workspace, 'worktree', 'add', '-q', '-b', 'side', other);
    return { world, other };
  }

  it('stays as it is for submodules, nested ones too, and for other worktrees', async () => {
    const { world } = furnished();
    const names = [
      'modules/libs/sub/config',
      'modules/libs/sub/hooks/post-commit',
      'modules/libs/sub/modules/deep/config',
      'modules/libs/sub/modules/deep/hooks/post-commit',
      'worktrees/other/commondir',
      'worktrees/other/gitdir',
    ];
    const tries = names.map((name) => `echo x >> ${name} && echo ALLOWED ${name}`);
    const moves = ['modules/libs/sub', 'modules/libs', 'modules', 'worktrees/other', 'worktrees'].map(
      (name) => `mv ${name} ${name}-moved && echo ALLOWED ${name}`,
    );
    const policy = world.policy('workspace-write');
    const commit = 'git -C libs/sub -c user.name=a -c user.email=a@b.c commit -q --allow-empty -m second';
    const script = `cd .git; ${[...tries, ...moves].join('; ')}; cd ..; ${commit} && git status --short && echo COMMITTED`;
    const { output } = await run(world, { policy, argv: ['bash', '-c', script] });
    expect(output).not.toContain('ALLOWED');
    expect(output).toContain('COMMITTED');
  });

  it('is protected whole where it is more than can be mounted one by one', () => {
    const { world } = furnished();
    const git = join(world.workspace, '.git');
    expect(nestedProtected(git)).toContain(join(git, 'modules/libs/sub/config'));
    for (let index = 0; index < 201; index += 1) {
      mkdirSync(join(git, `modules/m${String(index)}`));
      writeFileSync(join(git, `modules/m${String(index)}/config`), '');
    }
    expect(nestedProtected(git)).toEqual([join(git, 'modules'), join(git, 'worktrees')]);
  });
});

it('keeps what is hidden inside a folder of the workspace where it is', async () => {
  const world = createWorld();
  worlds.push(world);
  const secret = join(world.workspace, 'a/b/secret');
  mkdirSync(secret, { recursive: true });
  writeFileSync(join(secret, 'key'), 'SECRET\n');
  const policy = world.policy('workspace-write', { hide: [secret] });
  const shell = async (script: string) => (await run(world, { policy, argv: ['bash', '-c', script] })).output;
  expect(await shell('mv a c; mv a/b a/c; touch a/b/made a/made && echo WRITTEN')).toContain('WRITTEN');
  expect(await shell('cat */*/*/key */*/key')).not.toContain('SECRET');
});

/** Who may look everywhere sees nothing closed. */
function asOrdinary<T>(look: () => T): T {
  if (process.geteuid?.() !== 0) return look();
  process.seteuid?.(65534);
  try {
    return look();
  } finally {
    process.seteuid?.(0);
  }
}

it.each(['.git', '.git/modules/sub', 'a'])(
  'keeps a folder closed that was made so around what is protected: %s',
  (name) => {
    const world = createWorld();
    worlds.push(world);
    git(world.base, 'init', '-q', world.workspace);
    for (const folder of ['.git/modules/sub/hooks', 'a/secret'])
      mkdirSync(join(world.workspace, folder), { recursive: true });
    const folder = join(world.workspace, name);
    const policy = world.policy('workspace-write', { hide: [join(world.workspace, 'a/secret')] });
    const look = () => asOrdinary(() => surveyOf(policy, [])).guarded;
    expect(look()).not.toContain(folder);
    chmodSync(folder, 0o000);
    const guarded = look();
    expect(guarded.some((path) => path !== '/' && isWithin(folder, path))).toBe(true);
  },
);
