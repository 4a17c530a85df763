import { mkdtemp, rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, onTestFinished } from 'vitest';
import { command, createWorld, escalate, type World } from './core.fixture.ts';
import { findProgram } from './sandbox/programs.ts';

let world: World;
/** A PATH without the program that enters a Compartment: what is left of the sandbox is a part. */
let partial: string;
beforeEach(async () => {
  partial = await mkdtemp('/var/tmp/gatehouse-bin-');
  onTestFinished(() => rm(partial, { recursive: true }));
  for (const name of ['bwrap', 'prlimit']) await symlink(await program(name), join(partial, name));
});
afterEach(() => world.close());

async function program(name: string): Promise<string> {
  const found = await findProgram(name, process.env['PATH'] ?? '');
  if (found === undefined) throw new Error(`${name} is not on PATH`);
  return found;
}

const demand = (requireEnforcement: 'full' | 'any') => ({ launch: { requireEnforcement } });

it('a machine that enforces a part is refused with the remedy where the settings demand all of it, and nobody is asked', async () => {
  world = await createWorld({ path: partial, settings: demand('full') });
  const session = await world.turns([[command('a', 'echo a')], [command('b', 'echo b', escalate('workspace-write'))]], {
    preset: 'read-only',
  });
  for (const id of ['a', 'b'])
    expect([id, await session.one()]).toMatchObject([
      id,
      {
        status: 'refused',
        code: 'SANDBOX_UNAVAILABLE',
        content: expect.stringContaining('launch.requireEnforcement') as string,
      },
    ]);
  expect(await world.reply('probe.run', { sessionId: session.id })).toMatchObject({ code: 'SANDBOX_UNAVAILABLE' });
  expect(await session.of('approval/asked')).toEqual([]);
  const full = await world.turns([[command('c', 'echo free')]], { preset: 'danger-full-access' });
  expect(await full.one()).toMatchObject({ status: 'ok' });
});

it('the same machine runs what the settings do not demand that much for, and says that it is a part', async () => {
  world = await createWorld({ path: partial, settings: demand('any') });
  const session = await world.turns([[command('a', 'echo a')]]);
  expect(await session.one()).toMatchObject({ status: 'ok' });
  expect(await world.request('probe.run', { sessionId: session.id })).toMatchObject({ enforcement: 'partial' });
  const { checks } = await world.request('doctor.run', {});
  expect(checks).toContainEqual({
    name: 'enforcement',
    ok: true,
    message: 'bubblewrap, partly: temp not shared: each command has its own',
  });
});

it('a machine that enforces all of it runs what the settings demand all of it for', async () => {
  world = await createWorld({ settings: demand('full') });
  expect(await (await world.turns([[command('a', 'echo a')]])).one()).toMatchObject({ status: 'ok' });
});
