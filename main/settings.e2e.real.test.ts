import { readdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import type { Push } from '../app/contract/pushes.ts';
import type { Json } from '../app/base/json.ts';
import { createWorld, type World } from './core.fixture.ts';

let world: World;
afterEach(() => world.close());

type SettingsPush = Extract<Push, { push: 'settings' }>['data'];

const settingsFile = () => join(world.home, 'settings.json');
/** As an editor saves: whole, by replacing the file. */
async function save(text: string): Promise<void> {
  await writeFile(`${settingsFile()}~`, text);
  await rename(`${settingsFile()}~`, settingsFile());
}
const saveJson = (value: Json) => save(JSON.stringify(value));
const told = (fits: (settings: SettingsPush) => boolean, ms = 2_000) =>
  world.until((push) => push.push === 'settings' && fits(push.data) && push.data, ms);
const names = async () => (await world.request('preset.list', {})).presets.map(({ name }) => name);

it('have defaults for the window, and each can be chosen by itself', async () => {
  world = await createWorld();
  const { revision, settings } = await world.request('settings.get', {});
  const defaults = { theme: 'system', language: 'system', notifications: true, shortcuts: {}, welcomed: false };
  expect(settings).toMatchObject({ window: defaults });
  const changes = { window: { theme: 'dark', shortcuts: { palette: 'Alt+P' } } };
  const changed = await world.request('settings.set', { revision, changes });
  expect(changed.settings).toMatchObject({
    window: { ...defaults, theme: 'dark', shortcuts: { palette: 'Alt+P' } },
  });
  expect(JSON.parse(await readFile(settingsFile(), 'utf8'))).toEqual(changes);
  expect((await told((each) => each.revision === changed.revision)).settings).toEqual(changed.settings);
});

it('7-c: refuse a value that the window does not know, naming it, and stay as they are', async () => {
  world = await createWorld();
  const { revision } = await world.request('settings.get', {});
  expect(await world.reply('settings.set', { revision, changes: { window: { theme: 'blue' } } })).toMatchObject({
    ok: false,
    code: 'invalid-input',
    message: expect.stringContaining('window.theme is "blue"; allowed are system, light, dark') as string,
  });
  expect(await readdir(world.home)).not.toContain('settings.json');
});

it('7-e: an outside edit is told to every door within 2 s, and its presets are listed and shown', async () => {
  world = await createWorld({ settings: { defaultPreset: 'workspace-write' } });
  const session = await world.turns([]);
  const before = await world.request('settings.get', {});
  const mine = { sandbox: 'workspace-write', approval: 'ask' };
  await saveJson({ presets: { mine }, defaultPreset: 'mine' });
  const { revision, settings } = await told((each) => each.revision !== before.revision);
  expect(settings).toMatchObject({ presets: { mine }, defaultPreset: 'mine' });
  expect(await names()).toEqual(['mine']);
  const row = await world.until(
    ({ push, data }) => push === 'session' && 'row' in data && data.row.preset === 'mine' && data.row,
  );
  expect(row.sessionId).toBe(session.id);
  // A change against what was there before the edit is a conflict, and the edit stays.
  const stale = { revision: before.revision, changes: { defaultPreset: 'read-only' } };
  for (const request of ['settings.set', 'settings.replace']) {
    expect(await world.reply(request, stale)).toMatchObject({ ok: false, code: 'conflict' });
  }
  expect(await world.request('settings.get', {})).toMatchObject({ revision, settings: { defaultPreset: 'mine' } });
});

it('7-a: a file that is broken is told with its place, and so is the end of that', async () => {
  world = await createWorld({ settings: { defaultPreset: 'read-only' } });
  const good = await readFile(settingsFile(), 'utf8');
  await save(good.slice(0, -1));
  const broken = await told(({ problem }) => problem !== undefined);
  expect(broken.problem?.message).toContain(`${settingsFile()}:1:`);
  expect(broken.settings).toMatchObject({ defaultPreset: 'read-only' });
  expect((await world.request('settings.get', {})).problem).toEqual(broken.problem);
  const pushes = world.pushes.length;
  await save(good);
  await world.until(
    (push) => push.push === 'settings' && world.pushes.indexOf(push) >= pushes && !push.data.problem,
    2_000,
  );
  expect((await world.request('settings.get', {})).problem).toBeUndefined();
});

it('7-b: a malformed file is written over only by settings.replace, and is kept next to the new one', async () => {
  world = await createWorld();
  const malformed = '{"presets" {}}';
  await save(malformed);
  const { revision } = await told(({ problem }) => problem !== undefined);
  const changes = { window: { theme: 'dark' } };
  expect(await world.reply('settings.set', { revision, changes })).toMatchObject({ ok: false, code: 'conflict' });
  expect(await readFile(settingsFile(), 'utf8')).toBe(malformed);

  const replaced = await world.request('settings.replace', { revision, changes });
  expect(replaced).toMatchObject({ settings: { window: { theme: 'dark' } } });
  expect(replaced.problem).toBeUndefined();
  const kept = (await readdir(world.home)).filter((name) => name.startsWith('settings.json.broken-'));
  expect(await Promise.all(kept.map((name) => readFile(join(world.home, name), 'utf8')))).toEqual([malformed]);
});

it('7-b: settings.replace without a revision keeps every edit of a file that is good', async () => {
  world = await createWorld({ settings: { defaultPreset: 'read-only', later: 1 } });
  await world.request('settings.replace', { changes: { window: { welcomed: true } } });
  expect(JSON.parse(await readFile(settingsFile(), 'utf8'))).toEqual({
    defaultPreset: 'read-only',
    later: 1,
    window: { welcomed: true },
  });
  expect((await readdir(world.home)).filter((name) => name.includes('broken'))).toEqual([]);
});
