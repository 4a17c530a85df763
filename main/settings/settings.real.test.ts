import { chmod, lstat, mkdtemp, readdir, readFile, rename, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { createHash } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { userDefault } from '../../app/policy/settings.ts';
import { openSettings, type SettingsFile, type SettingsOptions, type SettingsState } from './settings.ts';

let home: string;
let file: string;
const opened: SettingsFile[] = [];

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'gatehouse-settings-'));
  file = join(home, 'settings.json');
});

afterEach(async () => {
  await Promise.all(opened.splice(0).map((settings) => settings.close()));
  await rm(home, { recursive: true, force: true });
});

const NARROW_TABLE = { presets: { careful: { sandbox: 'read-only', approval: 'ask' } }, defaultPreset: 'careful' };

describe('SettingsFile', () => {
  it('has the defaults and no problem where there is no file', async () => {
    const settings = await open();
    expect(settings.current).toMatchObject({ revision: 'missing', blind: false });
    expect(settings.current.problem).toBeUndefined();
    expect(userDefault(settings.current.settings).preset.name).toBe('workspace-write');
    expect(await readdir(home)).toEqual([]);
  });

  it('7-a: keeps the last good table while the file is half written, says where, and stops saying so', async () => {
    const text = JSON.stringify(NARROW_TABLE, null, 2);
    await writeFile(file, text);
    const settings = await open();

    await writeFile(file, text.slice(0, text.indexOf('approval') + 3));
    // Writing truncates first, which may be seen as well.
    const broken = await changed(settings, (state) => state.problem?.line === 5);
    expect(broken.settings.presets.map((preset) => preset.name)).toEqual(['careful']);
    expect(broken).toMatchObject({ blind: false, problem: { file, line: 5, column: 7 } });
    expect(broken.problem?.message).toContain(`${file}:5:7: a string that does not end`);

    await writeFile(file, text);
    const repaired = await changed(settings, (state) => state.problem === undefined);
    expect(repaired.settings).toEqual(broken.settings);
  });

  it('7-b: never writes over a file that it could not read', async () => {
    const entries = Array.from({ length: 40 }, (_, index) => `"entry${index}": ${index}`).join(',\n');
    const text = `{${entries}\n"presets" {}}`;
    await writeFile(file, text);
    const settings = await open();
    const { revision } = await settings.get();

    expect(await settings.set(revision, { theme: 'dark' })).toMatchObject({
      kind: 'malformed',
      problem: { line: 41, column: 1 },
    });
    expect(await readFile(file, 'utf8')).toBe(text);
    expect(await readdir(home)).toEqual(['settings.json']);
  });

  it('7-b: writes over it when a person picks replace, and keeps the old file next to it', async () => {
    await writeFile(file, '{"presets" {}}');
    const settings = await open();
    const { revision } = await settings.get();

    expect(await settings.replace(revision, { theme: 'dark' })).toMatchObject({ settings: { theme: 'dark' } });
    expect(settings.current.problem).toBeUndefined();
    const kept = (await readdir(home)).filter((name) => name.startsWith('settings.json.broken-'));
    expect(kept).toHaveLength(1);
    expect(await readFile(join(home, kept[0] ?? ''), 'utf8')).toBe('{"presets" {}}');
  });

  it.each(['readonly', 'Read-Only', 'workspace_write', '', null, true, 7])(
    '7-c: starts read-only and asking where the file says %j for a mode, and shows where',
    async (sandbox) => {
      const presets = { mine: { sandbox, approval: 'never' } };
      await writeFile(file, JSON.stringify({ defaultPreset: 'mine', presets }));
      const { current } = await open();

      expect(userDefault(current.settings).preset).toMatchObject({ sandbox: 'read-only', approval: 'ask' });
      expect(current).toMatchObject({
        blind: true,
        problem: {
          file,
          line: 1,
          column: 54,
          key: 'presets.mine.sandbox',
          value: sandbox,
          allowed: ['read-only', 'workspace-write', 'danger-full-access'],
        },
      });
    },
  );

  it('7-c: does not load a table with a preset named custom, and names it', async () => {
    await writeFile(file, JSON.stringify({ presets: { custom: { sandbox: 'read-only', approval: 'ask' } } }));
    const { current } = await open();
    expect(current.problem?.message).toContain('"custom"');
    expect(userDefault(current.settings).preset).toMatchObject({ sandbox: 'read-only', approval: 'ask' });
  });

  it('7-d: loads a file with a byte-order mark and Windows line ends like the plain one', async () => {
    const text = JSON.stringify(NARROW_TABLE, null, 2);
    await writeFile(file, `\ufeff${text.replaceAll('\n', '\r\n')}`);
    const marked = (await open()).current;
    await writeFile(file, text);
    expect((await open()).current.settings).toEqual(marked.settings);
    expect(marked.problem).toBeUndefined();
  });

  it.each([
    ['UTF-16 with a mark', Buffer.from('\ufeff{"presets": {}}', 'utf16le'), 1, 1],
    ['UTF-16 without one', Buffer.from('{"presets": {}}', 'utf16le'), 1, 1],
    ['UTF-16 of the other kind', Buffer.from('\ufeff{}', 'utf16le').swap16(), 1, 1],
    ['an invalid byte in a string', Buffer.from([...Buffer.from('{\n"ü": "'), 0xe4, ...Buffer.from('"}')]), 2, 7],
  ])('7-d: opens with a narrow default and the word encoding for %s', async (_, bytes, line, column) => {
    await writeFile(file, bytes);
    const { current } = await open();
    expect(current).toMatchObject({ blind: true, problem: { file, line, column } });
    expect(current.problem?.message).toContain('encoding');
    expect(userDefault(current.settings).preset).toMatchObject({ sandbox: 'read-only', approval: 'ask' });
  });

  it.each([
    ['of 0 bytes', ''],
    ['of spaces', '  \n'],
  ])('7-g: takes a file %s for a problem, not for no restrictions', async (_, text) => {
    await writeFile(file, text);
    const { current } = await open();
    expect(current).toMatchObject({ blind: true, problem: { file } });
    expect(current.problem?.message).toContain('the file is empty');
  });

  it('7-g: takes a named file that does not exist for a problem', async () => {
    const { current } = await open({ required: true });
    expect(current).toMatchObject({ blind: true, problem: { file } });
    expect(userDefault(current.settings).preset).toMatchObject({ sandbox: 'read-only', approval: 'ask' });
  });

  it('7-g: keeps the rules when the file is truncated or goes away while it runs', async () => {
    await writeFile(file, JSON.stringify({ launch: { hide: ['/secret'] } }));
    const settings = await open();
    await writeFile(file, '');
    const truncated = await changed(settings, (state) => state.problem !== undefined);
    await rm(file);
    const gone = await changed(settings, (state) => state.revision === 'missing');

    expect([truncated, gone].map((state) => state.settings.launch.hide)).toEqual([['/secret'], ['/secret']]);
    expect(gone.problem?.message).toContain('does not exist');
  });

  it('7-e: keeps an outside edit, and answers a change against the old content as a conflict', async () => {
    await writeFile(file, JSON.stringify(NARROW_TABLE));
    const settings = await open();
    const { revision } = await settings.get();
    const edited = {
      ...NARROW_TABLE,
      presets: { ...NARROW_TABLE.presets, p2: { sandbox: 'read-only', approval: 'never' } },
    };
    await writeFile(file, JSON.stringify(edited));

    expect(await settings.set(revision, { theme: 'dark' })).toMatchObject({ kind: 'conflict' });
    expect(JSON.parse(await readFile(file, 'utf8'))).toEqual(edited);
    expect(settings.current.settings.presets.map((preset) => preset.name)).toEqual(['careful', 'p2']);
    const again = await settings.set((await settings.get()).revision, { presets: { careful: { label: 'Careful' } } });
    expect(again).toMatchObject({
      settings: { presets: { careful: { label: 'Careful' }, p2: { approval: 'never' } } },
    });
  });

  it('7-e: offers a preset that an editor saved by replacing the file', async () => {
    await writeFile(file, JSON.stringify(NARROW_TABLE));
    const settings = await open();
    const next = { presets: { p2: { sandbox: 'read-only', approval: 'never' } } };
    await writeFile(`${file}~`, JSON.stringify(next));
    await rename(`${file}~`, file);
    const state = await changed(settings, (each) => each.revision === sha256(JSON.stringify(next)));
    expect(state.settings.presets.map((preset) => preset.name)).toEqual(['p2']);
    expect(userDefault(state.settings)).toMatchObject({ preset: { name: 'p2' }, missing: 'workspace-write' });
  });

  it('keeps keys it does not know, removes what is set to null, and tells of the change once', async () => {
    await writeFile(file, JSON.stringify({ theme: { name: 'dark', accent: 3 }, defaultPreset: 'read-only' }));
    const settings = await open();
    const told: string[] = [];
    settings.observe((state) => void told.push(state.revision));
    const reply = await settings.set((await settings.get()).revision, { theme: { accent: null }, defaultPreset: null });

    expect(JSON.parse(await readFile(file, 'utf8'))).toEqual({ theme: { name: 'dark' } });
    expect(reply).toMatchObject({ settings: { theme: { name: 'dark' }, defaultPreset: 'workspace-write' } });
    await settings.reload();
    expect(told).toEqual([settings.current.revision]);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(await readdir(home)).toEqual(['settings.json']);
  });

  it('adds a first preset to the ones in force, in a file that is not there yet', async () => {
    const settings = await open();
    await settings.set('missing', { presets: { mine: { sandbox: 'read-only', approval: 'never' } } });
    expect(settings.current.settings.presets.map((preset) => preset.name)).toEqual([
      'read-only',
      'workspace-write',
      'danger-full-access',
      'mine',
    ]);
  });

  it('writes nothing when the change would make the file invalid', async () => {
    await writeFile(file, '{"defaultPreset": "read-only"}');
    const settings = await open();
    const { revision } = await settings.get();
    const refused = await settings.set(revision, { presets: { mine: { sandbox: 'readonly', approval: 'ask' } } });
    expect(refused).toMatchObject({ kind: 'invalid-input', problem: { key: 'presets.mine.sandbox' } });
    expect(await readFile(file, 'utf8')).toBe('{"defaultPreset": "read-only"}');
    expect(settings.current.problem).toBeUndefined();
  });

  it('lets one of two changes against the same revision win', async () => {
    await writeFile(file, '{}');
    const settings = await open();
    const { revision } = await settings.get();
    const [one, two] = await Promise.all([settings.set(revision, { a: 1 }), settings.set(revision, { b: 2 })]);
    expect(one).toMatchObject({ settings: { a: 1 } });
    expect(two).toMatchObject({ kind: 'conflict' });
    expect(JSON.parse(await readFile(file, 'utf8'))).toEqual({ a: 1 });
  });

  it('replaces the file that a link names, and leaves the link', async () => {
    const target = join(home, 'dotfiles.json');
    await writeFile(target, '{}');
    await symlink(target, file);
    const settings = await open();
    await settings.set((await settings.get()).revision, { a: 1 });
    expect((await lstat(file)).isSymbolicLink()).toBe(true);
    expect(JSON.parse(await readFile(target, 'utf8'))).toEqual({ a: 1 });
  });

  it('is told nothing after it was closed', async () => {
    await writeFile(file, '{}');
    const settings = await open();
    const told: SettingsState[] = [];
    settings.observe((state) => void told.push(state));
    await settings.close();
    await writeFile(file, '{"a": 1}');
    await settings.reload();
    expect(told).toEqual([]);
    expect(settings.current.revision).toBe(sha256('{}'));
  });

  it('takes a folder in its place for a problem', async () => {
    await chmod(home, 0o700);
    const { current } = await open({ file: home });
    expect(current).toMatchObject({
      blind: true,
      problem: { message: expect.stringContaining('cannot be read') as string },
    });
  });
});

async function open(options: Partial<SettingsOptions> = {}): Promise<SettingsFile> {
  const onFault = (fault: unknown) => {
    throw fault;
  };
  const settings = await openSettings({ file, pollMs: 50, onFault, ...options });
  opened.push(settings);
  return settings;
}

/** Resolves with the first state for which it holds; the file system tells when. */
function changed(settings: SettingsFile, holds: (state: SettingsState) => boolean): Promise<SettingsState> {
  if (holds(settings.current)) return Promise.resolve(settings.current);
  return new Promise((resolve) => {
    const stop = settings.observe((state) => {
      if (!holds(state)) return;
      stop();
      resolve(state);
    });
  });
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
