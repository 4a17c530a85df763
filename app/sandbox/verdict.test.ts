import { describe, expect, it } from 'vitest';
import { CONFINED_MODES } from './mode.fixture.ts';
import { placeOf } from './place.ts';
import { policyOf, type PolicyChoice } from './policy.fixture.ts';
import type { Mode } from './mode.ts';
import { verdict, type Operation } from './verdict.ts';

function judge(mode: Mode, operation: Operation, path: string, choice?: PolicyChoice): string {
  const policy = policyOf(mode, choice);
  const judged = verdict(placeOf(path, policy), operation, policy);
  return judged.kind === 'allow' ? 'allow' : judged.reason;
}

describe('a write', () => {
  it('is allowed in the workspace and in extra roots under workspace-write', () => {
    expect(judge('workspace-write', 'write', '/w/a')).toBe('allow');
    expect(judge('workspace-write', 'write', '/extra/a', { writableRoots: ['/extra'] })).toBe('allow');
  });

  it('SBX-9: is denied outside, with the roots that would have been allowed', () => {
    expect(judge('workspace-write', 'write', '/etc/x')).toBe('/etc/x is outside the writable roots: /w');
    expect(judge('workspace-write', 'write', '/w-evil/x')).toContain('outside');
    expect(judge('workspace-write', 'write', '/')).toContain('outside');
  });

  it('SBX-1: is denied everywhere but in private temp under read-only', () => {
    expect(judge('read-only', 'write', '/w/a', { writableRoots: ['/w'] })).toBe('The Mode is read-only');
    expect(judge('read-only', 'write', '/tmp/a')).toBe('allow');
    expect(judge('read-only', 'write', '/dev/null')).toBe('allow');
    expect(judge('read-only', 'write', '/dev/zero')).not.toBe('allow');
  });

  it('is denied to protected entries and to the git folder as such, in every writable root', () => {
    const choice = { writableRoots: ['/extra'], protectedNames: ['.vscode'] };
    for (const root of ['/w', '/extra']) {
      expect(judge('workspace-write', 'write', `${root}/.git/hooks/pre-commit`, choice)).toContain('protected');
      expect(judge('workspace-write', 'write', `${root}/.git/config`, choice)).toContain('protected');
      expect(judge('workspace-write', 'write', `${root}/.git/commondir`, choice)).toContain('protected');
      expect(judge('workspace-write', 'write', `${root}/.vscode/tasks.json`, choice)).toContain('protected');
      expect(judge('workspace-write', 'write', `${root}/.git`, choice)).toContain('replaced');
      expect(judge('workspace-write', 'write', `${root}/.git/index`, choice)).toBe('allow');
      expect(judge('workspace-write', 'write', `${root}/.git/config.lock`, choice)).toBe('allow');
      expect(judge('workspace-write', 'write', `${root}/sub/.vscode/a`, choice)).toBe('allow');
    }
  });

  it.each([
    'modules/libs/sub/config',
    'modules/sub/hooks/post-commit',
    'modules/sub/modules/deep/commondir',
    'worktrees/other/gitdir',
    'worktrees/other/config.worktree',
    'worktrees/other/modules/sub/hooks',
  ])('is denied to what runs programs for submodules and other worktrees: %s', (name) => {
    expect(judge('workspace-write', 'write', `/w/.git/${name}`)).toContain('protected');
    expect(judge('workspace-write', 'write', `/w/sub/.git/${name}`)).toBe('allow');
    expect(judge('workspace-write', 'write', `/w/.git/modules/sub/HEAD`)).toBe('allow');
  });

  it('is denied beside a workspace that lies below /tmp, where only the way to it is mounted', () => {
    expect(judge('workspace-write', 'write', '/tmp/t/other', { workspace: '/tmp/t/w' })).toContain('only leads to');
    expect(judge('workspace-write', 'write', '/tmp/t/w/a', { workspace: '/tmp/t/w' })).toBe('allow');
    expect(judge('workspace-write', 'write', '/tmp/u', { workspace: '/tmp/t/w' })).toBe('allow');
  });
});

describe('a write to the git folder of a linked worktree', () => {
  const linked = { common: '/r/.git', entry: '/r/.git/worktrees/w', whole: true };
  const judgeLinked = (path: string, mode: Mode = 'workspace-write') => {
    const policy = { ...policyOf(mode), linked };
    return verdict(placeOf(path, policy), 'write', policy).kind;
  };

  it.each([
    'objects/ab/cd',
    'refs/heads/x.lock',
    'logs/HEAD',
    'packed-refs.lock',
    'worktrees/w/index.lock',
    'worktrees/w/HEAD',
  ])('2-b: is allowed where git writes: %s', (name) => {
    expect(judgeLinked(`/r/.git/${name}`)).toBe('allow');
    expect(judgeLinked(`/r/.git/${name}`, 'read-only')).toBe('deny');
  });

  it.each([
    'hooks/post-commit',
    'config',
    'config.worktree',
    'commondir',
    'HEAD',
    'index',
    'info/attributes',
    'modules/m/config',
    'worktrees/other/HEAD',
    'worktrees/w/commondir',
    'worktrees/w/gitdir',
    'worktrees/w/config.worktree',
    'worktrees/w/modules/sub/config',
    'worktrees/w',
    'logs',
    'objects',
    '',
    'new',
    '../src/x',
    '../.git-evil/objects/x',
  ])('2-b: is denied anywhere else: %j', (name) => {
    expect(judgeLinked(`/r/.git/${name}`.replace(/\/$/, '').replace('/.git/..', ''))).toBe('deny');
  });

  it('2-b: is denied beside the folders that git writes where no new names may be made', () => {
    const policy = { ...policyOf('workspace-write'), linked: { ...linked, whole: false } };
    const judged = (path: string) => verdict(placeOf(path, policy), 'write', policy).kind;
    expect([judged('/r/.git/objects/x'), judged('/r/.git/packed-refs'), judged('/r/.git/hooks/x')]).toEqual([
      'allow',
      'deny',
      'deny',
    ]);
  });
});

describe.each(CONFINED_MODES)('hiding, in %s', (mode) => {
  it('denies reads and writes of what is hidden', () => {
    const choice = { hide: ['/home/u/.ssh', '/w/secrets'] };
    for (const operation of ['read', 'write'] as const) {
      expect(judge(mode, operation, '/home/u/.ssh/id', choice)).toContain('hidden');
      expect(judge(mode, operation, '/home/u/.ssh', choice)).toContain('hidden');
      expect(judge(mode, operation, '/w/secrets/a', choice)).toContain('hidden');
    }
    expect(judge(mode, 'read', '/home/u/.sshd', choice)).toBe('allow');
  });

  it('lets a workspace inside a hidden folder be seen, and hides inside it again', () => {
    const choice = { workspace: '/home/u/.app/w', hide: ['/home/u/.app', '/home/u/.app/w/x'] };
    expect(judge(mode, 'read', '/home/u/.app/w/a', choice)).toBe('allow');
    expect(judge(mode, 'read', '/home/u/.app/w/x/a', choice)).toContain('hidden');
    expect(judge(mode, 'read', '/home/u/.app/b', choice)).toContain('hidden');
  });

  it('hides a workspace that is itself on the list', () => {
    expect(judge(mode, 'read', '/w/a', { hide: ['/w'] })).toContain('hidden');
  });

  it('denies reads of what a process has of its own', () => {
    expect(judge(mode, 'read', '/proc/self/environ')).toContain('has its own');
    expect(judge(mode, 'read', '/run/docker.sock')).toContain('has its own');
    expect(judge(mode, 'read', '/run/media/u/w/a', { workspace: '/run/media/u/w' })).toBe('allow');
    expect(judge(mode, 'read', '/etc/passwd')).toBe('allow');
  });
});

it('allows everything under danger-full-access', () => {
  expect(judge('danger-full-access', 'write', '/etc/x', { hide: ['/etc'] })).toBe('allow');
  expect(judge('danger-full-access', 'read', '/proc/self/environ')).toBe('allow');
});
