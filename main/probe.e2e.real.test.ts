import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it, onTestFinished } from 'vitest';
import type { Output } from '../app/contract/requests.ts';
import {
  aroundLaunch,
  command,
  createWorld,
  withClose,
  type TestSession,
  type World,
  type WorldOptions,
} from './core.fixture.ts';
import type { ConfinedProcess } from './sandbox/confined.ts';

let world: World;
afterEach(() => world.close());

type Probed = Output<'probe.run'>;
type Row = Probed['probes'][number];

/** A git workspace with a writable root and a hidden folder beside it. */
async function furnished(options: WorldOptions = {}, launch: object = {}): Promise<void> {
  const beside = await mkdtemp('/var/tmp/gatehouse-probe-');
  onTestFinished(() => rm(beside, { recursive: true }));
  const [extra, secret, token] = [join(beside, 'extra'), join(beside, 'secret'), join(beside, 'token')];
  for (const folder of [extra, secret]) await mkdir(folder);
  await writeFile(token, 'secret');
  world = await createWorld({
    settings: { launch: { writableRoots: [extra], hide: [secret, token], ...launch } },
    ...options,
  });
}

const probe = ({ id }: TestSession) => world.request('probe.run', { sessionId: id });
const rowsOf = ({ probes }: Probed, subject: Row['subject']) => probes.filter((row) => row.subject === subject);
const words = (probed: Probed) =>
  Object.fromEntries(probed.probes.map(({ subject, expected, observed }) => [subject, [expected, observed]]));
const different = ({ probes }: Probed) =>
  probes.filter(({ expected, observed }) => expected !== observed).map(({ subject, observed }) => [subject, observed]);

/** What probes have left, where they are tried on the host. */
async function left(): Promise<readonly string[]> {
  const folders = [world.workspace, join(world.workspace, '.git/hooks'), homedir(), '/etc', '/tmp'];
  const found = await Promise.all(folders.map((folder) => readdir(folder)));
  return found.flat().filter((name) => name.startsWith('.gatehouse-probe-'));
}

it('finds in the sandbox of a Session exactly what its Mode claims, and leaves nothing behind', async () => {
  await furnished();
  const claims = {
    'read-only': { workspace: 'denied', 'writable-root': 'denied' },
    'workspace-write': { workspace: 'written', 'writable-root': 'written' },
  };
  for (const [preset, { workspace, 'writable-root': root }] of Object.entries(claims)) {
    const session = await world.turns([], { preset });
    const before = await session.log();
    const probed = await probe(session);
    expect(probed).toMatchObject({ mode: preset, provider: 'bubblewrap', enforcement: 'full' });
    expect(different(probed)).toEqual([]);
    expect(words(probed)).toEqual({
      workspace: [workspace, workspace],
      'writable-root': [root, root],
      protected: ['denied', 'denied'],
      temp: ['private', 'private'],
      home: ['denied', 'denied'],
      system: ['denied', 'denied'],
      hidden: ['hidden', 'hidden'],
      network: ['blocked', 'blocked'],
      'unix-socket': ['blocked', 'blocked'],
    });
    expect(rowsOf(probed, 'protected').map(({ path }) => path)).toEqual([
      join(world.workspace, '.git/hooks'),
      join(world.workspace, '.git/config'),
    ]);
    expect(rowsOf(probed, 'hidden').map(({ path }) => path)).toContain(world.home);
    expect(await session.log()).toBe(before);
  }
  expect(await left()).toEqual([]);
});

it('follows the settings of the network, and reaches no local socket of the host even then', async () => {
  await furnished({}, { network: 'host', unixSockets: 'private' });
  const probed = await probe(await world.turns([]));
  expect(words(probed)).toMatchObject({ network: ['reached', 'reached'], 'unix-socket': ['blocked', 'blocked'] });
  expect(different(probed)).toEqual([]);
});

it('says under full access that everything may be written, and touches nothing but workspace and temp', async () => {
  await furnished();
  const probed = await probe(await world.turns([], { preset: 'danger-full-access' }));
  expect(probed).toMatchObject({ mode: 'danger-full-access', provider: 'none', enforcement: 'none' });
  const { workspace, temp, ...others } = words(probed);
  expect([workspace, temp]).toEqual([
    ['written', 'written'],
    ['written', 'written'],
  ]);
  expect(Object.keys(others)).toEqual(expect.arrayContaining(['home', 'system', 'hidden', 'network', 'unix-socket']));
  for (const [expected, observed] of Object.values(others))
    expect([expected, observed]).toEqual([expected === 'reached' ? 'reached' : 'written', 'untried']);
  expect(await left()).toEqual([]);
});

it('shows the difference where the sandbox holds back less than the policy claims', async () => {
  const wider = aroundLaunch({
    request: (asked) => ({
      ...asked,
      policy: {
        ...asked.policy,
        mode: 'workspace-write',
        settings: { ...asked.policy.settings, hide: [], network: 'host' },
      },
    }),
  });
  await furnished({ around: wider });
  const probed = await probe(await world.turns([], { preset: 'read-only' }));
  expect(probed.mode).toBe('read-only');
  expect(new Map(different(probed).map(([subject, observed]) => [subject, observed]))).toEqual(
    new Map([
      ['workspace', 'written'],
      ['writable-root', 'written'],
      ['hidden', 'denied'],
      ['network', 'reached'],
    ]),
  );
  expect(await left()).toEqual([]);
});

it('works while a turn runs and follows the Mode that was set meanwhile, waiting for nothing of the older one', async () => {
  const held = Promise.withResolvers<void>();
  const endings: ConfinedProcess[] = [];
  const around = aroundLaunch({
    process: (process) => {
      endings.push(process);
      if (endings.length > 1) return process;
      return withClose(process, async (onPhase) => {
        await held.promise;
        return process.close(onPhase);
      });
    },
  });
  await furnished({ around });
  const session = await world.turns([[command('a', 'sleep 600')]]);
  await session.begin();
  await session.started('a');
  expect(words(await probe(session))).toMatchObject({ workspace: ['written', 'written'] });
  await session.setMode('read-only');
  const probed = await probe(session);
  expect(words(probed)).toMatchObject({ workspace: ['denied', 'denied'] });
  expect(different(probed)).toEqual([]);
  expect(await session.of('cleanup/ended')).toEqual([]);
  held.resolve();
  await session.event(({ type }) => type === 'cleanup/ended');
});

it('SBX-6: is refused with the remedy where nothing can be confined, and full access needs nothing', async () => {
  const bin = await mkdtemp('/var/tmp/gatehouse-bin-');
  onTestFinished(() => rm(bin, { recursive: true }));
  await furnished({ path: bin });
  const [confined, full] = [await world.turns([]), await world.turns([], { preset: 'danger-full-access' })];
  expect(await world.reply('probe.run', { sessionId: confined.id })).toMatchObject({
    ok: false,
    code: 'SANDBOX_UNAVAILABLE',
    message: expect.stringContaining('Install the package bubblewrap.') as string,
  });
  expect(words(await probe(full))).toMatchObject({ workspace: ['written', 'written'] });
});

it('is refused for a folder that is gone and for a Session that there is none of', async () => {
  await furnished();
  const session = await world.turns([]);
  await rm(world.workspace, { recursive: true });
  expect(await world.reply('probe.run', { sessionId: session.id })).toMatchObject({ code: 'workspace-missing' });
  expect(await world.reply('probe.run', { sessionId: 'none' })).toMatchObject({ code: 'not-found' });
  expect(existsSync(world.workspace)).toBe(false);
});

it('calls a try unclear that was ended before it could answer, and removes what may be left', async () => {
  let cut = true;
  await furnished({
    around: aroundLaunch({
      process: (process) => {
        if (cut) void process.close();
        return process;
      },
    }),
  });
  const session = await world.turns([]);
  const { probes } = await probe(session);
  expect(new Set(probes.map(({ observed }) => observed))).toEqual(new Set(['unclear']));
  expect(await left()).toEqual([]);
  cut = false;
  expect(different(await probe(session))).toEqual([]);
});
