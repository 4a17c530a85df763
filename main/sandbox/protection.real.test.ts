import { once } from 'node:events';
import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
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
