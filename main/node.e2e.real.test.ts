import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, expect, it, onTestFinished } from 'vitest';
import { createWorld, escalate, program, type World } from './core.fixture.ts';

let world: World;
afterEach(() => world.close());

/** Node behind a door that opens for a variable, as Electron is, and with a part that lies elsewhere. */
async function wrappedNode(folder: string, part: string): Promise<string> {
  const path = join(folder, 'wrapped');
  await writeFile(join(part, 'part'), `#!/bin/sh\nTHROUGH=wrapped exec '${process.execPath}' "$@"\n`, { mode: 0o755 });
  const script = `#!/bin/sh\n[ "$ACT_AS_NODE" = yes ] || exit 3\nexec '${part}/part' "$@"\n`;
  await writeFile(path, script, { mode: 0o755 });
  return path;
}

async function fresh(parent: string): Promise<string> {
  const folder = await mkdtemp(join(parent, 'gatehouse-node-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  return folder;
}

it('programs run on the Node that the host names, with the variables it needs, in every Mode', async () => {
  // Below /tmp, where a sandbox sees only what it is shown; this repository may lie there too.
  const part = await fresh('/tmp');
  const path = await wrappedNode(await fresh('/tmp'), part);
  const node = { path, variables: { ACT_AS_NODE: 'yes' }, needs: [part, process.execPath] };
  world = await createWorld({ node, settings: { defaultPreset: 'workspace-write' } });
  const code = '[process.env.THROUGH, process.env.ACT_AS_NODE, process.env.GATEHOUSE_MODE]';
  const session = await world.turns([
    [program('a', code)],
    [program('b', code, escalate('danger-full-access'))],
    [program('c', code)],
  ]);
  expect((await session.one()).value).toEqual(['wrapped', 'yes', 'workspace-write']);
  await session.begin();
  await session.decide('b', 'allow-once');
  expect((await session.result('b')).value).toEqual(['wrapped', 'yes', 'danger-full-access']);
  await session.idle();
  await session.setMode('read-only');
  expect((await session.one()).value).toEqual(['wrapped', 'yes', 'read-only']);
});

it('a link to Node is as good as Node, wherever the link lies', async () => {
  const path = join(await fresh('/tmp'), 'node');
  await symlink(process.execPath, path);
  world = await createWorld({ node: { path } });
  expect((await (await world.turns([[program('a', '20 + 1')]])).one()).value).toBe(21);
});

it('a Node that does not run is told as unavailable, and the Session goes on', async () => {
  const folder = await fresh('/var/tmp');
  const path = await wrappedNode(folder, folder);
  world = await createWorld({ node: { path } });
  const session = await world.turns([[program('a', '1')], []]);
  expect(await session.one()).toMatchObject({ status: 'refused', code: 'SANDBOX_UNAVAILABLE' });
  expect(await session.turn()).toEqual([]);
});
