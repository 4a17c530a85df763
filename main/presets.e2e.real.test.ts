import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import type { SessionId } from '../app/base/id.ts';
import { command, createWorld, file, type TestSession, type World, type WorldOptions } from './core.fixture.ts';
import { headerNamed, openStore, writerOf } from './session/home.fixture.ts';

let world: World;
afterEach(() => world.close());

async function open(options: WorldOptions = {}): Promise<TestSession> {
  world = await createWorld(options);
  return world.turns([[command('a', 'echo $GATEHOUSE_MODE')]]);
}

const select = ({ id }: TestSession, preset: string) => world.request('preset.set', { sessionId: id, preset });
const current = async ({ id }: TestSession) => (await world.request('preset.list', { sessionId: id })).current;
/** The policy events of the log, as `type value`. */
async function policyOf(session: TestSession): Promise<readonly string[]> {
  const events = await session.events();
  return events.flatMap(({ type, data }) => {
    if (type === 'permission/preset') return [`preset ${data.preset}`];
    if (type === 'sandbox/mode') return [`mode ${data.mode}`];
    return type === 'approval/policy' ? [`policy ${data.policy}`] : [];
  });
}
const PINNED = ['preset workspace-write', 'mode workspace-write', 'policy ask'];

describe('presets', () => {
  it('PRE-1: are listed in declaration order, and current is the matching one', async () => {
    const session = await open();
    const { presets } = await world.request('preset.list', {});
    expect(presets.map(({ name, sandbox, approval }) => [name, sandbox, approval])).toEqual([
      ['read-only', 'read-only', 'ask'],
      ['workspace-write', 'workspace-write', 'ask'],
      ['danger-full-access', 'danger-full-access', 'never'],
    ]);
    expect(await current(session)).toBe('workspace-write');
  });

  it('PRE-2: record the choice, then the mode, then the policy, adjacent', async () => {
    const session = await open();
    expect(await world.request('preset.preview', { sessionId: session.id, preset: 'danger-full-access' })).toEqual({
      changes: { mode: 'danger-full-access', policy: 'never' },
      stopping: [],
    });
    const { seq = -1 } = await select(session, 'danger-full-access');
    expect((await session.events()).slice(seq)).toMatchObject([
      { type: 'permission/preset', data: { preset: 'danger-full-access' } },
      { type: 'sandbox/mode', data: { mode: 'danger-full-access', source: 'preset' } },
      { type: 'approval/policy', data: { policy: 'never', source: 'preset' } },
    ]);
    expect(await session.one()).toMatchObject({ facts: { output: { text: 'danger-full-access\n' } } });
    await session.expectVerified();
  });

  it('PRE-4: are custom after a knob was changed directly, and custom cannot be selected', async () => {
    const session = await open();
    await world.request('approvalPolicy.set', { sessionId: session.id, policy: 'never' });
    expect(await current(session)).toBe('custom');
    const before = await session.events();
    expect(await world.reply('preset.set', { sessionId: session.id, preset: 'custom' })).toMatchObject({
      ok: false,
      code: 'unknown-preset',
    });
    expect(await world.reply('preset.preview', { sessionId: session.id, preset: 'custom' })).toMatchObject({
      ok: false,
      code: 'unknown-preset',
    });
    expect(await session.events()).toEqual(before);
  });

  it('PRE-5: of equal values: the second is current once selected; after a drift the order of the table decides', async () => {
    const twin = { sandbox: 'workspace-write', approval: 'ask' };
    const session = await open({
      settings: { presets: { 'workspace-write': twin, twin, narrow: { sandbox: 'read-only', approval: 'ask' } } },
    });
    await select(session, 'twin');
    expect(await current(session)).toBe('twin');
    expect(await policyOf(session)).toEqual([...PINNED, 'preset twin']);
    await session.setMode('read-only');
    expect(await current(session)).toBe('narrow');
    await world.request('approvalPolicy.set', { sessionId: session.id, policy: 'never' });
    expect(await current(session)).toBe('custom');
    await select(session, 'narrow');
    await session.setMode('workspace-write');
    expect(await current(session)).toBe('workspace-write');
  });

  it('PRE-6: of a drifted Session record the choice and only the drifted knob', async () => {
    const session = await open();
    await session.setMode('read-only');
    await world.request('approvalPolicy.set', { sessionId: session.id, policy: 'never' });
    await session.setMode('workspace-write');
    await select(session, 'workspace-write');
    expect((await policyOf(session)).slice(PINNED.length)).toEqual([
      'mode read-only',
      'policy never',
      'mode workspace-write',
      'preset workspace-write',
      'policy ask',
    ]);
    expect(await select(session, 'workspace-write')).toEqual({ stopping: [] });
  });

  it('PRE-8: of a changed user default hold for new Sessions alone', async () => {
    const older = await open();
    const { revision } = await world.request('settings.get', {});
    await world.request('settings.set', { revision, changes: { defaultPreset: 'read-only' } });
    const newer = await world.turns([[command('a', 'echo $GATEHOUSE_MODE')]]);
    expect(await Promise.all([older, newer].map(policyOf))).toEqual([
      PINNED,
      ['preset read-only', 'mode read-only', 'policy ask'],
    ]);
    expect([await older.one(), await newer.one()]).toMatchObject(
      ['workspace-write\n', 'read-only\n'].map((text) => ({ facts: { output: { text } } })),
    );
    expect(await world.reply('settings.set', { revision, changes: {} })).toMatchObject({ ok: false, code: 'conflict' });
  });

  it('PRE-9: of an old Session without permission facts are its effective values, not today’s default', async () => {
    await open({ settings: { defaultPreset: 'read-only' } });
    await world.close({ keep: true });
    const store = openStore(join(world.home, 'sessions'));
    const writer = await writerOf(store, { ...headerNamed('s_old'), workspace: world.workspace });
    await writer.append(0, [
      { type: 'user/message', seq: 0, time: 1, data: { text: 'old', origin: 'person', queued: false } },
    ]);
    await writer.close();
    world = await createWorld({ folder: world.folder });
    const { view } = await world.request('session.open', { sessionId: 's_old' as SessionId });
    expect(view).toMatchObject({ preset: 'workspace-write', mode: 'workspace-write', policy: 'ask' });
    const { events } = await world.request('session.events', { sessionId: 's_old' as SessionId, from: 0, to: 99 });
    expect(events.filter(({ type }) => type === 'sandbox/mode' || type === 'approval/policy')).toMatchObject([
      { data: { mode: 'workspace-write' } },
      { data: { policy: 'ask' } },
    ]);
  });

  it('7-a: stay as they were while the settings file is broken, and the notice is withdrawn when it is good again', async () => {
    const session = await open({
      settings: { presets: { narrow: { sandbox: 'read-only', approval: 'ask' } }, defaultPreset: 'narrow' },
    });
    const path = join(world.home, 'settings.json');
    const before = await session.events();
    await writeFile(path, '{ "presets": { "narrow": { "sandbox"');
    const broken = await world.until(
      ({ push, data }) => push === 'notice' && data.code === 'settings' && !data.closed && data,
    );
    expect(broken.message).toContain(path);
    expect((await world.request('preset.list', {})).presets.map(({ name }) => name)).toEqual(['narrow']);
    expect(await session.one()).toMatchObject({ facts: { output: { text: 'read-only\n' } } });
    await writeFile(path, '{}');
    await world.until(({ push, data }) => push === 'notice' && data.code === 'settings' && data.closed === true);
    expect((await session.events()).slice(0, before.length)).toEqual(before);
    expect(await policyOf(session)).toEqual(['preset narrow', 'mode read-only', 'policy ask']);
  });

  it('7-g: run nothing while what the settings protect has never been readable, and again when it is', async () => {
    world = await createWorld();
    await world.close({ keep: true });
    const path = join(world.home, 'settings.json');
    await writeFile(path, '');
    world = await createWorld({ folder: world.folder });
    const secret = join(world.folder, 'secret.txt');
    await writeFile(secret, 'secret');
    const session = await world.turns([
      [command('a', `cat ${secret}`), file('b', 'read', { path: secret })],
      [file('c', 'read', { path: secret })],
    ]);
    expect((await session.view()).mode).toBe('read-only');
    const results = await session.turn();
    for (const { status, content } of results) {
      expect([status, content.includes(path), content.includes('secret\n')]).toEqual(['refused', true, false]);
    }
    await writeFile(path, JSON.stringify({ launch: { hide: [secret] } }));
    await world.until(({ push, data }) => push === 'notice' && data.code === 'settings' && data.closed === true);
    expect(await session.one()).toMatchObject({ status: 'refused', code: 'denied' });
  });
});
