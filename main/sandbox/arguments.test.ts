import { describe, expect, it } from 'vitest';
import { policyOf } from '../../app/sandbox/policy.fixture.ts';
import { expectedMounts, isolation, mounts, type Temp } from './arguments.ts';
import type { Survey } from './survey.ts';

const nothing: Survey = {
  roots: [],
  pinned: [],
  guarded: [],
  hidden: [],
  sockets: [],
  runtime: [],
  identities: new Map(),
};
const shared: Temp = { kind: 'shared', folder: '/data/temp' };
/** One mount a line, as a person would read it. */
const lines = (argv: readonly string[]) => argv.join(' ').split(/(?<!--perms \d+)(?<!--size \d+) (?=--)/);

describe('isolation', () => {
  it('takes every namespace but those of the Compartment', () => {
    expect(isolation(policyOf('read-only'), shared).join(' ')).toBe(
      '--unshare-user --disable-userns --cap-drop ALL --unshare-pid --unshare-uts --hostname sandbox --unshare-cgroup-try --die-with-parent --new-session',
    );
  });

  it('takes network and ipc too where there is no Compartment', () => {
    expect(isolation(policyOf('read-only'), { kind: 'own' })).toEqual(
      expect.arrayContaining(['--unshare-ipc', '--unshare-net']),
    );
    expect(isolation(policyOf('read-only', { network: 'host' }), { kind: 'own' })).not.toContain('--unshare-net');
  });
});

describe('mounts', () => {
  it('reads the whole host and writes one root', () => {
    const survey: Survey = {
      ...nothing,
      roots: ['/home/u/w'],
      pinned: ['/home/u/w/.git'],
      guarded: ['/home/u/w/.git/config', '/home/u/w/.git/hooks'],
      hidden: [
        { path: '/home/u/.ssh', folder: true },
        { path: '/home/u/w/.env', folder: false },
      ],
      runtime: ['/opt/node'],
    };
    expect(lines(mounts({ policy: policyOf('workspace-write', { workspace: '/home/u/w' }), survey, temp: shared })))
      .toMatchInlineSnapshot(`
      [
        "--ro-bind / /",
        "--dev /dev",
        "--perms 1777 --size 67108864 --tmpfs /dev/shm",
        "--proc /proc",
        "--ro-bind /proc/sys /proc/sys",
        "--perms 0755 --size 1048576 --tmpfs /run",
        "--bind /data/temp /tmp",
        "--perms 0755 --size 1048576 --tmpfs /home/u/.ssh",
        "--bind /home/u/w /home/u/w",
        "--ro-bind /dev/null /home/u/w/.env",
        "--bind /home/u/w/.git /home/u/w/.git",
        "--ro-bind /home/u/w/.git/config /home/u/w/.git/config",
        "--ro-bind /home/u/w/.git/hooks /home/u/w/.git/hooks",
        "--ro-bind /opt/node /opt/node",
        "--remount-ro /run",
        "--remount-ro /dev",
        "--remount-ro /home/u/.ssh",
      ]
    `);
  });

  it('2-b: opens of the git folder of a linked worktree what git writes, and nothing above it', () => {
    const git = '/home/u/r/.git';
    const survey: Survey = {
      ...nothing,
      roots: [git, '/home/u/w'],
      pinned: [`${git}/worktrees/w`],
      guarded: ['HEAD', 'config', 'hooks', 'worktrees', 'worktrees/w/commondir', 'worktrees/w/gitdir']
        .map((name) => `${git}/${name}`)
        .concat('/home/u/w/.git'),
    };
    const policy = policyOf('workspace-write', { workspace: '/home/u/w' });
    const binds = lines(mounts({ policy, survey, temp: shared })).filter((line) => line.includes(' /home/u/'));
    expect(binds).toMatchInlineSnapshot(`
      [
        "--bind /home/u/r/.git /home/u/r/.git",
        "--ro-bind /home/u/r/.git/HEAD /home/u/r/.git/HEAD",
        "--ro-bind /home/u/r/.git/config /home/u/r/.git/config",
        "--ro-bind /home/u/r/.git/hooks /home/u/r/.git/hooks",
        "--ro-bind /home/u/r/.git/worktrees /home/u/r/.git/worktrees",
        "--bind /home/u/r/.git/worktrees/w /home/u/r/.git/worktrees/w",
        "--ro-bind /home/u/r/.git/worktrees/w/commondir /home/u/r/.git/worktrees/w/commondir",
        "--ro-bind /home/u/r/.git/worktrees/w/gitdir /home/u/r/.git/worktrees/w/gitdir",
        "--bind /home/u/w /home/u/w",
        "--ro-bind /home/u/w/.git /home/u/w/.git",
      ]
    `);
    expect(expectedMounts({ policy, survey, temp: shared }).writable).toEqual([
      git,
      '/home/u/w',
      `${git}/worktrees/w`,
      '/tmp',
      '/dev/shm',
    ]);
  });

  it('binds nothing writable under read-only, where nothing needs to be protected', () => {
    const survey: Survey = { ...nothing, roots: ['/w'], pinned: ['/w/.git'], guarded: ['/w/.git/hooks'] };
    const argv = mounts({ policy: policyOf('read-only'), survey, temp: { kind: 'own' } });
    expect(argv.filter((word) => word === '--bind')).toEqual([]);
    expect(argv.join(' ')).toContain('--size 1024 --tmpfs /tmp');
    expect(argv).not.toContain('/w/.git/hooks');
  });

  it('2-h: puts an empty read-only folder around a workspace below /tmp', () => {
    const survey: Survey = { ...nothing, roots: ['/tmp/t/w'] };
    const argv = lines(
      mounts({ policy: policyOf('workspace-write', { workspace: '/tmp/t/w' }), survey, temp: shared }),
    );
    const carrier = argv.findIndex((line) => line.endsWith('--tmpfs /tmp/t'));
    expect(carrier).toBeGreaterThan(argv.indexOf('--bind /data/temp /tmp'));
    expect(argv.indexOf('--bind /tmp/t/w /tmp/t/w')).toBeGreaterThan(carrier);
    expect(argv).toContain('--remount-ro /tmp/t');
  });

  it('mounts a parent before what lies in it, a hidden folder around a workspace included', () => {
    const survey: Survey = {
      ...nothing,
      roots: ['/h/w', '/h/w/x/y'],
      hidden: [
        { path: '/h', folder: true },
        { path: '/h/w/x', folder: true },
      ],
    };
    const order = lines(mounts({ policy: policyOf('workspace-write', { workspace: '/h/w' }), survey, temp: shared }));
    const at = (end: string) => order.findIndex((line) => line.endsWith(` ${end}`) && !line.includes('remount'));
    expect([at('/h'), at('/h/w'), at('/h/w/x'), at('/h/w/x/y')]).toEqual(
      [at('/h'), at('/h/w'), at('/h/w/x'), at('/h/w/x/y')].toSorted((a, b) => a - b),
    );
  });

  it('never mounts over a path below /tmp or /run that no root brings in', () => {
    const survey: Survey = {
      ...nothing,
      roots: ['/w'],
      hidden: [
        { path: '/tmp/app', folder: true },
        { path: '/run/x', folder: false },
      ],
    };
    const argv = mounts({ policy: policyOf('read-only'), survey, temp: shared });
    expect(argv).not.toContain('/tmp/app');
    expect(argv).not.toContain('/run/x');
  });

  it('makes the whole host writable only when the workspace is the whole host', () => {
    const survey: Survey = { ...nothing, roots: ['/'] };
    expect(
      mounts({ policy: policyOf('workspace-write', { workspace: '/' }), survey, temp: shared }).slice(0, 3),
    ).toEqual(['--bind', '/', '/']);
    expect(mounts({ policy: policyOf('read-only', { workspace: '/' }), survey, temp: shared }).slice(0, 3)).toEqual([
      '--ro-bind',
      '/',
      '/',
    ]);
  });
});

describe('expectedMounts', () => {
  it('expects to be writable exactly what the policy lets be written', () => {
    const survey: Survey = {
      ...nothing,
      roots: ['/w'],
      pinned: ['/w/.git'],
      guarded: ['/w/.git/hooks'],
      runtime: ['/opt/node'],
    };
    const order = { survey, temp: shared };
    expect(expectedMounts({ ...order, policy: policyOf('workspace-write') }).writable).toEqual([
      '/w',
      '/w/.git',
      '/tmp',
      '/dev/shm',
    ]);
    expect(expectedMounts({ ...order, policy: policyOf('read-only') }).writable).toEqual(['/tmp', '/dev/shm']);
    expect(expectedMounts({ ...order, policy: policyOf('read-only') }).readOnly).toContain('/w');
  });
});
