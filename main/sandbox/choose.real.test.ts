import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, onTestFinished } from 'vitest';
import { CONFINED_MODES } from '../../app/sandbox/mode.fixture.ts';
import type { Mode } from '../../app/sandbox/mode.ts';
import { chooseProvider } from './choose.ts';
import { collect, createWorld, never, session, type World } from './world.fixture.ts';

let world: World;
beforeEach(() => (world = createWorld()));
afterEach(() => world.remove());

function providerOn(platform: string) {
  const { home, userHome } = world;
  const provider = chooseProvider(
    { home, userHome, instance: 'choose', runtime: [process.execPath], variables: process.env },
    platform,
  );
  onTestFinished(() => provider.close());
  return provider;
}

const touch = (mode: Mode) => ({
  sessionId: session('s1'),
  policy: world.policy(mode),
  argv: ['touch', join(world.outside, 'made')] as const,
  cwd: '/',
});

it('Linux has bubblewrap', async () => {
  expect(await providerOn('linux').probe(never)).toMatchObject({ provider: 'bubblewrap', enforcement: 'full' });
});

it.each([
  ['win32', 'WSL 2'],
  ['freebsd', 'on Linux'],
])('confined Modes are unavailable on %s, with what to do, and nothing runs', async (platform, remedy) => {
  const provider = providerOn(platform);
  const unavailable = {
    enforcement: 'none',
    message: expect.any(String) as string,
    remedy: expect.stringContaining(remedy) as string,
  };
  expect(await provider.probe(never)).toMatchObject(unavailable);
  for (const mode of CONFINED_MODES)
    expect(await provider.launch(touch(mode), never)).toMatchObject({
      kind: 'unavailable',
      code: 'SANDBOX_UNAVAILABLE',
      remedy: expect.stringContaining(remedy) as string,
    });
  expect(await provider.tempRoot(session('s1'), world.policy('read-only'), never)).toMatchObject({
    code: 'SANDBOX_UNAVAILABLE',
  });
  expect(existsSync(join(world.outside, 'made'))).toBe(false);
});

it('full access works there as it does without a sandbox anywhere, and says that nothing confines it', async () => {
  const provider = providerOn('win32');
  const started = await provider.launch(touch('danger-full-access'), never);
  if (started.kind === 'unavailable') throw new Error(started.message);
  const output = collect(started);
  expect([started.enforcement, await started.exited]).toEqual(['none', { exitCode: 0, signal: null }]);
  expect(await started.close()).toMatchObject({ ok: true });
  expect([await output, existsSync(join(world.outside, 'made'))]).toEqual(['', true]);
});
