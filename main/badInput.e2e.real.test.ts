import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ControlClient } from './controlClient.fixture.ts';
import { assertGone } from './core.fixture.ts';

let folder: string;
let home: string;
let workspace: string;
let control: ControlClient;
let before: Everything;

beforeAll(async () => {
  folder = await mkdtemp('/var/tmp/gatehouse-bad-');
  [home, workspace] = [join(folder, 'home'), join(folder, 'repo')];
  await mkdir(workspace);
  control = new ControlClient(home);
  await control.request('session.create', { workspace, title: 'The one that is there' });
});
afterAll(async () => {
  await expectEnd();
  control.destroy();
  await assertGone(folder);
  await rm(folder, { recursive: true, force: true });
});
// Whatever was refused has changed nothing, and the next request is served.
beforeEach(async () => (before = await everything()));
afterEach(() => expectUnchanged());

async function expectUnchanged(): Promise<void> {
  expect(await everything()).toEqual(before);
}

async function expectEnd(): Promise<void> {
  expect(await control.end()).toBe(0);
}

interface Everything {
  readonly sessions: unknown;
  readonly files: Readonly<Record<string, string>>;
}

async function everything(): Promise<Everything> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => entry.isFile() && !entry.name.startsWith('script'))
    .map((entry) => join(entry.parentPath, entry.name));
  const files = await Promise.all(
    paths.toSorted().map(async (path) => [path, await readFile(path, 'base64')] as const),
  );
  return { sessions: await control.request('session.list', {}), files: Object.fromEntries(files) };
}

const create = (input: object) => control.reply('session.create', { workspace, ...input });

describe('session.create', () => {
  it.each([
    [
      'an unknown preset, naming the known ones',
      () => ({ preset: 'all-of-it' }),
      'unknown-preset',
      /read-only.*workspace-write.*danger-full-access/,
    ],
    ['custom as a preset', () => ({ preset: 'custom' }), 'unknown-preset', /custom/],
    ['a workspace that is missing', () => ({ workspace: join(folder, 'none') }), 'workspace-missing', /none/],
    [
      'a workspace that is a file',
      () => ({ workspace: join(home, 'nothing-here.json') }),
      'workspace-missing',
      /nothing-here/,
    ],
    ['a relative workspace', () => ({ workspace: 'repo' }), 'invalid-input', /absolute/],
    ['an empty workspace', () => ({ workspace: '' }), 'invalid-input', /workspace/],
    ['/ as a workspace', () => ({ workspace: '/' }), 'workspace-refused', /root/],
    ['the home folder as a workspace', () => ({ workspace: homedir() }), 'workspace-refused', /home/],
    ['our own data as a workspace', () => ({ workspace: home }), 'workspace-refused', /data/],
    ['/ with another confirmation', () => ({ workspace: '/', confirmed: ['home'] }), 'workspace-refused', /root/],
    ['an agent that is none', () => ({ agent: 'someone' }), 'invalid-input', /someone/],
    [
      'a script that is missing',
      () => ({ agent: `script:${join(folder, 'none.json')}` }),
      'script-invalid',
      /none\.json/,
    ],
    ['a field that nobody knows', () => ({ mode: 'danger-full-access' }), 'invalid-input', /mode/],
  ])('refuses %s', async (_name, input, code, message) => {
    expect(await create(input())).toEqual({
      id: expect.any(Number),
      ok: false,
      code,
      message: expect.stringMatching(message),
      ...(code === 'workspace-refused' && { confirm: [message.source] }),
    });
  });

  it('says with which codes a refused workspace is taken all the same, and of what cannot be confirmed nothing', async () => {
    expect(await create({ workspace: '/' })).toMatchObject({ code: 'workspace-refused', confirm: ['root'] });
    expect(await create({ workspace: join(folder, 'none') })).not.toHaveProperty('confirm');
  });

  it.each([
    ['no JSON', '{ "answers": [', 'not JSON'],
    ['an empty file', '', 'not JSON'],
    ['a list', '[]', 'the script'],
    ['no answers', '{}', 'answers'],
    [
      'a tool that is no text',
      '{"answers": [{}, {"calls": [{"id": "a", "tool": 1, "input": {}}]}]}',
      'answers[1].calls[0].tool',
    ],
    ['a call without input', '{"answers": [{"calls": [{"id": "a", "tool": "bash"}]}]}', 'answers[0].calls[0].input'],
    ['an empty barrier', '{"answers": [{"await": ""}]}', 'answers[0].await'],
    ['a word that is none of the format', '{"answers": [{"say": "hello"}]}', 'answers[0]'],
    ['a bad child', '{"answers": [], "children": {"one": {"answers": [{"text": 5}]}}}', 'children.one.answers[0].text'],
  ])('refuses a script with %s, naming the place', async (_name, text, place) => {
    const path = join(folder, 'script.json');
    await writeFile(path, text);
    const reply = await create({ agent: `script:${path}` });
    expect(reply).toMatchObject({ ok: false, code: 'script-invalid', message: expect.stringContaining(place) });
    expect(reply).toMatchObject({ message: expect.stringContaining(path) });
  });
});

describe('a request', () => {
  it.each([
    ['of an unknown name', 'session.destroy', {}, 'unknown-request'],
    ['by the name of a method of every object', 'toString', {}, 'unknown-request'],
    ['for a Session that does not exist', 'session.open', { sessionId: 's_none' }, 'not-found'],
    ['to prompt one that does not exist', 'session.prompt', { sessionId: 's_none', text: 'x' }, 'not-found'],
    ['to verify one that does not exist', 'session.verify', { sessionId: 's_none' }, 'not-found'],
    ['to switch one that does not exist', 'mode.set', { sessionId: 's_none', mode: 'read-only' }, 'not-found'],
    ['with an id that is a path', 'session.open', { sessionId: '../../etc' }, 'invalid-input'],
    ['with a mode that is none', 'mode.set', { sessionId: 's_none', mode: 'Read-Only' }, 'invalid-input'],
    ['with null instead of an input', 'session.list', null, 'invalid-input'],
    ['for a cleanup that does not exist', 'cleanup.retry', { cleanupId: 'k_none' }, 'not-found'],
    ['for an approval that does not exist', 'approval.decide', { approvalId: 'a_none', decision: 'deny' }, 'not-found'],
    ['to change settings that are stale', 'settings.set', { revision: 'old', changes: {} }, 'conflict'],
    ['with a cursor of another day', 'session.list', { cursor: 'old' }, 'conflict'],
  ])('%s is refused', async (_name, name, input, code) => {
    expect(await control.reply(name, input)).toMatchObject({ ok: false, code });
  });

  it('with settings that would not load is refused, naming key and value (7-c)', async () => {
    const { revision } = await control.request('settings.get', {});
    for (const sandbox of ['readonly', 'Read-Only', '', null, true, 7]) {
      const reply = await control.reply('settings.set', {
        revision,
        changes: { presets: { mine: { sandbox, approval: 'ask' } } },
      });
      expect(reply).toMatchObject({ ok: false, code: 'invalid-input', message: expect.stringContaining('sandbox') });
    }
    const custom = { presets: { custom: { sandbox: 'read-only', approval: 'ask' } } };
    expect(await control.reply('settings.set', { revision, changes: custom })).toMatchObject({
      ok: false,
      message: expect.stringContaining('custom'),
    });
  });
});

describe('a line', () => {
  it.each([
    ['that is not JSON', 'hello', 'bad-line'],
    ['that is no object', '[1]', 'bad-line'],
    ['without an id', '{"request":"session.list"}', 'bad-line'],
    ['of bytes that are no text', Buffer.from([0x7b, 0xff, 0xfe, 0x7d]), 'bad-line'],
  ])('%s is answered once, without an id', async (_name, line, code) => {
    const heard = control.nameless.length;
    control.stdin.write(line);
    control.stdin.write('\n');
    await control.until(() => control.nameless.length > heard);
    expect(await control.reply('session.list')).toMatchObject({ ok: true });
    expect(control.nameless.slice(heard)).toMatchObject([{ id: null, ok: false, code }]);
  });

  it('of 100 MB is answered once as too large, and not kept', async () => {
    const heard = control.nameless.length;
    const chunk = Buffer.alloc(1024 * 1024, 'x');
    control.stdin.write('{"id":1,"request":"session.list","input":{"query":"');
    for (let sent = 0; sent < 100; sent += 1) if (!control.stdin.write(chunk)) await once(control.stdin, 'drain');
    control.stdin.write('"}}\n');
    expect(await control.reply('session.list')).toMatchObject({ ok: true });
    expect(control.nameless.slice(heard)).toMatchObject([{ id: null, ok: false, code: 'too-large' }]);
  });
});

describe('a workspace that was refused', () => {
  it('is taken once its code is confirmed', async () => {
    const other = new ControlClient(join(folder, '..', `${folder.slice('/var/tmp/'.length)}-other`));
    const place = join('/var/tmp', `${folder.slice('/var/tmp/'.length)}-other`);
    try {
      const first = await other.reply('session.create', { workspace: homedir() });
      expect(first).toMatchObject({
        ok: false,
        code: 'workspace-refused',
        message: expect.stringContaining('confirmed: ["home"]'),
      });
      const { sessionId } = await other.request('session.create', { workspace: homedir(), confirmed: ['home'] });
      expect((await other.request('session.list', {})).sessions).toMatchObject([{ sessionId, workspace: homedir() }]);
      expect(await other.end()).toBe(0);
    } finally {
      other.destroy();
      await rm(place, { recursive: true, force: true });
    }
  });
});
