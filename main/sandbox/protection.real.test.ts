import { once } from 'node:events';
import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { protectionOf, unprotected } from './protection.ts';
import { createWorld, makeRepository, type World } from './world.fixture.ts';

let world: World;
const servers: Server[] = [];
beforeEach(() => void (world = createWorld()));
afterEach(async () => {
  for (const server of servers.splice(0)) server.close();
  await world.remove();
});

it('names what appeared and what was replaced, and nothing that only changed its content or went away', () => {
  mkdirSync(join(world.workspace, '.idea'));
  makeRepository(world.workspace);
  const policy = world.policy('workspace-write', { protectedNames: ['.vscode', '.idea'] });
  const before = protectionOf(policy);
  writeFileSync(join(world.workspace, '.git/config'), '[core]\n');
  renameSync(join(world.workspace, '.idea'), join(world.workspace, 'idea'));
  expect(unprotected(before, protectionOf(policy))).toEqual([]);
  mkdirSync(join(world.workspace, '.vscode'));
  renameSync(join(world.workspace, '.git/hooks'), join(world.workspace, 'hooks'));
  mkdirSync(join(world.workspace, '.git/hooks'));
  expect(unprotected(before, protectionOf(policy))).toEqual(
    ['.git/hooks', '.vscode'].map((name) => join(world.workspace, name)),
  );
});

it('names what runs programs in a git folder that another one holds, once it is there', () => {
  makeRepository(world.workspace);
  const policy = world.policy('workspace-write');
  const before = protectionOf(policy);
  const made = ['.git/modules/part/config', '.git/worktrees/other/gitdir'].map((name) => join(world.workspace, name));
  for (const path of made) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, '');
  }
  expect(unprotected(before, protectionOf(policy))).toEqual(made);
});

it('names a socket that a host program opened where a process may use sockets and would see it', async () => {
  const settings = { unixSockets: 'private', hide: [world.outside] } as const;
  const open = world.policy('read-only', settings);
  const others = [world.policy('read-only'), world.policy('read-only', { ...settings, network: 'host' })];
  const before = [open, ...others].map(protectionOf);
  const seen = join(world.userHome, 'app.sock');
  for (const path of [seen, join(world.outside, 'hidden.sock'), `/tmp/gatehouse-${process.pid}.sock`]) {
    const server = createServer().listen(path);
    servers.push(server);
    await once(server, 'listening');
  }
  const now = [open, ...others].map((policy, index) => unprotected(before[index] ?? new Map(), protectionOf(policy)));
  expect(now.map((paths) => paths.filter((path) => path.includes('gatehouse-')))).toEqual([[seen], [], []]);
});

describe('a hidden path', () => {
  const modes = ['read-only', 'workspace-write'] as const;
  const named = (name: string) => join(world.userHome, name);
  /** What of the user's folder is named once `change` was made under each confined Mode. */
  function seenAfter(hide: readonly string[], change: () => void): readonly (readonly string[])[] {
    const policies = modes.map((mode) => world.policy(mode, { hide }));
    const before = policies.map(protectionOf);
    change();
    return policies.map((policy, index) => unprotected(before[index] ?? new Map(), protectionOf(policy)));
  }

  it('is named when it was replaced, also by a file with the same inode, and not when it was written in place', () => {
    const [keys, again, same] = ['keys', 'again', 'same'].map(named);
    const hide = [keys, again, same].map(String);
    for (const path of hide) writeFileSync(path, 'old');
    const seen = seenAfter(hide, () => {
      writeFileSync(`${keys}.lock`, 'new');
      renameSync(`${keys}.lock`, String(keys));
      rmSync(String(again));
      writeFileSync(String(again), 'new');
      writeFileSync(String(same), 'new');
    });
    expect(seen).toEqual(modes.map(() => [again, keys]));
  });

  it('is named when it appeared, as itself or as what a link there leads to', () => {
    const [missing, dangling, turned] = ['missing', 'dangling', 'turned'].map(named).map(String);
    const [target, other] = ['target', 'other'].map((name) => join(world.outside, name));
    if (!missing || !dangling || !turned || !target || !other) throw new Error('Five names were just given');
    symlinkSync(target, dangling);
    symlinkSync(named('old'), turned);
    for (const path of [named('old'), other]) writeFileSync(path, 'x');
    const seen = seenAfter([missing, dangling, turned], () => {
      mkdirSync(missing);
      writeFileSync(target, 'x');
      rmSync(turned);
      symlinkSync(other, turned);
    });
    expect(seen).toEqual(modes.map(() => [other, target, missing]));
  });

  it('is not named where a sandbox does not see it: in the temp of the host, or behind a mask that stays', () => {
    const behind = join(world.outside, 'keys');
    const temp = `/tmp/gatehouse-hidden-${process.pid}`;
    try {
      expect(
        seenAfter([world.outside, behind, temp], () => [behind, temp].forEach((path) => writeFileSync(path, 'x'))),
      ).toEqual(modes.map(() => []));
    } finally {
      rmSync(temp, { force: true });
    }
  });

  it('is nobody’s concern where everything may be read', () => {
    const policy = world.policy('danger-full-access', { hide: [named('keys')] });
    writeFileSync(named('keys'), 'x');
    expect(protectionOf(policy).size).toBe(0);
  });
});
