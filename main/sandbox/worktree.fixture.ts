import { execFileSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { LaunchSettings, SandboxPolicy } from '../../app/sandbox/policy.ts';
import type { BubblewrapOptions } from './bubblewrap.ts';
import { linkedGitOf } from './worktree.ts';
import { createWorld, run, type World } from './world.fixture.ts';

/** A world whose workspace is a linked worktree of the repository `main` beside it. */
export interface LinkedWorld {
  readonly world: World;
  readonly main: string;
  /** What a Session resolves for a call here and now. */
  readonly policy: (settings?: Partial<LaunchSettings>) => SandboxPolicy;
  /** What a script in the workspace prints. */
  readonly shell: (script: string, policy?: SandboxPolicy) => Promise<string>;
}

export function createLinkedWorld(options: Partial<BubblewrapOptions> = {}): LinkedWorld {
  const world = createWorld(options);
  const main = join(world.base, 'main');
  git(world.base, 'init', '-q', '-b', 'main', main);
  writeFileSync(join(main, 'src'), 'original\n');
  git(main, 'add', '.');
  git(main, 'commit', '-qm', 'first');
  rmSync(world.workspace, { recursive: true });
  git(main, 'worktree', 'add', '-q', '-b', 'side', world.workspace);
  const policy = (settings: Partial<LaunchSettings> = {}) => linkedPolicy(world, settings);
  const shell = async (script: string, at = policy()) =>
    (await run(world, { policy: at, argv: ['bash', '-c', script] })).output;
  return { world, main, policy, shell };
}

export function linkedPolicy(world: World, settings: Partial<LaunchSettings> = {}): SandboxPolicy {
  const plain = world.policy('workspace-write', settings);
  const linked = linkedGitOf(plain);
  return { ...plain, ...(linked && { linked }) };
}

/** Git as the person runs it. */
export function git(folder: string, ...words: readonly string[]): string {
  const who = ['-c', 'user.name=a', '-c', 'user.email=a@b.c', '-c', 'protocol.file.allow=always'];
  return execFileSync('git', ['-C', folder, ...who, ...words], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}
