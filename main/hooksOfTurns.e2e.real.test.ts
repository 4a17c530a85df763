import { mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { Json } from '../app/base/json.ts';
import { history } from '../app/session/history.ts';
import { command, createWorld, file, TestSession, type World } from './core.fixture.ts';
import { answering, hook, hookedWorld, setWorkspace } from './hooks.fixture.ts';

let world: World;
afterEach(() => world.close());

const textOf = (name: string) => readFile(join(world.workspace, name), 'utf8');

/** What the model would be shown by now. */
async function shown(session: TestSession): Promise<readonly string[]> {
  return history(await session.events()).map(({ role, text }) => `${role}: ${typeof text === 'string' ? text : ''}`);
}

describe('a hook of a prompt', () => {
  it('denies it: the model is asked nothing, the turn ends blocked, and no later request has it', async () => {
    const guard = 'if [ -e open ]; then exit 0; fi; echo "say please" >&2; exit 2';
    world = await hookedWorld(hook('UserPromptSubmit', guard));
    const session = await world.session([{ text: 'Hello.' }]);
    await session.begin();
    expect(await session.idle()).toBe('blocked');
    expect(await session.types()).not.toContain('step/start');
    expect(await session.of('turn/end')).toMatchObject([
      { reason: 'blocked', message: 'A hook refused the prompt: say please' },
    ]);
    expect(await shown(session)).toEqual([]);

    await writeFile(join(world.workspace, 'open'), '');
    await session.begin();
    expect(await session.idle()).toBe('completed');
    expect((await shown(session)).filter((line) => line.startsWith('user:'))).toEqual(['user: Go']);
  });

  it('is asked about a message that is sent during a turn, before the step that would take it', async () => {
    const guard = 'grep -q secret && { echo "no secrets" >&2; exit 2; }; exit 0';
    world = await hookedWorld(hook('UserPromptSubmit', guard));
    const session = await world.session([{ await: 'go', calls: [command('a', 'true')] }, { text: 'Done.' }]);
    await session.begin();
    await session.event(({ type }) => type === 'step/start');
    for (const text of ['the secret word', 'a plain word'])
      await world.request('session.prompt', { sessionId: session.id, text });
    await world.request('script.release', { sessionId: session.id, barrier: 'go' });
    expect(await session.idle()).toBe('completed');
    expect((await shown(session)).filter((line) => line.startsWith('user:'))).toEqual([
      'user: Go',
      'user: a plain word',
    ]);
    expect((await session.of('hook/ran')).map(({ decision }) => decision ?? 'none')).toEqual(['none', 'deny', 'none']);
  });

  it('adds what it has to say behind the prompt, and is told the prompt', async () => {
    world = await hookedWorld({
      ...hook('SessionStart', 'echo "The branch is main."'),
      ...hook(
        'UserPromptSubmit',
        `cat > seen.json; ${answering({ hookSpecificOutput: { additionalContext: 'It is Monday.' } })}`,
      ),
    });
    const session = await world.session([{ text: 'Hello.' }, { text: 'Again.' }]);
    for (const _ of [1, 2]) {
      await session.begin();
      await session.idle();
    }
    expect(JSON.parse(await textOf('seen.json'))).toMatchObject({ hook_event_name: 'UserPromptSubmit', prompt: 'Go' });
    const lines = (await shown(session)).filter((line) => !line.includes('sandbox mode'));
    expect(lines.filter((line) => line.startsWith('user:') || line.startsWith('context: A hook'))).toEqual([
      'user: Go',
      'context: A hook says: The branch is main.',
      'context: A hook says: It is Monday.',
      'user: Go',
      'context: A hook says: It is Monday.',
    ]);
  });
});

it('a prompt whose hook was cut off by the end of the product is asked about again before any model sees it', async () => {
  const guard = 'grep -q Go || exit 0; [ -e asked ] && { echo "say please" >&2; exit 2; }; touch asked; sleep 3600';
  world = await hookedWorld(hook('UserPromptSubmit', guard));
  const { id } = await world.session([{ text: 'Hello.' }]);
  await new TestSession(world, id).begin();
  await vi.waitFor(() => textOf('asked'), 15_000);
  await world.close({ keep: true });
  world = await hookedWorld(hook('UserPromptSubmit', guard), { folder: world.folder });
  const session = new TestSession(world, id);
  await world.request('session.prompt', { sessionId: id, text: 'hello again' });
  expect(await session.idle()).toBe('completed');
  expect((await shown(session)).filter((line) => line.startsWith('user:'))).toEqual(['user: hello again']);
  const [first, second] = (await session.events()).flatMap(({ type, seq }) => (type === 'user/message' ? [seq] : []));
  expect(await session.of('hook/ran')).toMatchObject([
    { prompt: first, exitCode: null },
    { prompt: first, decision: 'deny' },
    { prompt: second, exitCode: 0 },
  ]);
});

describe('a hook of the end of a turn', () => {
  it('has it go on with its reason, at most three times', async () => {
    world = await hookedWorld(hook('Stop', 'cat >> seen.jsonl; echo "run the tests" >&2; exit 2'));
    const session = await world.session(Array.from({ length: 8 }, (_, index) => ({ text: `Answer ${index + 1}.` })));
    await session.begin();
    expect(await session.idle()).toBe('completed');
    expect(await session.of('step/start')).toHaveLength(4);
    expect((await shown(session)).filter((line) => line.startsWith('context: A hook'))).toEqual(
      Array(3).fill('context: A hook says: run the tests'),
    );
    const told = (await textOf('seen.jsonl'))
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { stop_hook_active: boolean });
    expect(told.map(({ stop_hook_active: again }) => again)).toEqual([false, true, true]);
  });
});

describe('calls that only read', () => {
  const look = { id: 'a', tool: 'glob', input: { pattern: '*' } };
  const two = [look, { ...look, id: 'b' }];
  const order = async (session: TestSession) =>
    (await session.events()).flatMap(({ type, data }) => {
      if (type === 'hook/ran') return [`hook ${data.callId ?? ''}`];
      return type === 'tool/result' ? [`end ${data.callId}`] : [];
    });
  it('overlap where a hook writes nothing', async () => {
    // Each waits for the other one.
    const meet = 'echo here >> /tmp/here; until [ "$(wc -l < /tmp/here)" = 2 ]; do sleep 0.02; done';
    world = await hookedWorld(hook('PreToolUse', meet, { writes: 'none' }));
    const session = await world.turns([two]);
    await session.turn();
    expect(await session.of('hook/ran')).toMatchObject([{ exitCode: 0 }, { exitCode: 0 }]);
  });

  it.each<[Json]>([['unknown'], [['notes/']]])('run alone where a hook may write: %j', async (writes) => {
    const alone =
      'echo in >> /tmp/here; sleep 0.3; [ "$(wc -l < /tmp/here)" = 1 ]; code=$?; rm -f /tmp/here; exit $code';
    world = await hookedWorld(hook('PreToolUse', alone, { writes }));
    const session = await world.turns([two]);
    await session.turn();
    expect(await session.of('hook/ran')).toMatchObject([{ exitCode: 0 }, { exitCode: 0 }]);
    expect(await order(session)).toEqual(['hook a', 'end a', 'hook b', 'end b']);
  });
});

describe('the hooks of a workspace', () => {
  const folder = () => join(world.workspace, '.claude');
  const putFile = async (content: string) => {
    await mkdir(folder(), { recursive: true });
    await writeFile(join(folder(), 'settings.json'), content);
  };
  const put = (hooks: Json) => putFile(JSON.stringify({ permissions: { allow: ['Bash'] }, hooks }));
  const write = file('a', 'write', { path: 'a.txt', content: 'x' });
  const notices = async (session: TestSession) => (await session.of('session/notice')).map(({ code }) => code);

  it('are off: they do not run, which is said once, with how to switch them on', async () => {
    world = await createWorld();
    await put(hook('PreToolUse', 'exit 2'));
    const session = await world.turns([[write], [write]]);
    expect(await session.one()).toMatchObject({ status: 'ok' });
    await session.turn();
    expect(await notices(session)).toEqual(['project-hooks-off']);
    const [{ message } = { message: '' }] = await session.of('session/notice');
    expect(message).toContain(`workspaces.${JSON.stringify(world.workspace)}.projectHooks to true`);
    expect(
      await world.until((push) => push.push === 'notice' && push.data.code === 'project-hooks-off' && push.data),
    ).toMatchObject({
      level: 'info',
      sessionId: session.id,
    });
    expect(await session.of('hook/ran')).toEqual([]);
  });

  it('run when a person switches them on, beside those of the settings', async () => {
    world = await createWorld({ settings: { hooks: hook('PreToolUse', 'true') } });
    await put(hook('PreToolUse', 'echo "the project says no" >&2; exit 2', { matcher: 'Write|Edit' }));
    await setWorkspace(world, { projectHooks: true });
    const session = await world.turns([[write]]);
    expect(await session.one()).toMatchObject({
      code: 'hook-denied',
      content: expect.stringContaining('the project says no'),
    });
    expect((await session.of('hook/ran')).map(({ hook: text }) => text)).toEqual([
      'true',
      expect.stringContaining('project'),
    ]);
    expect(await notices(session)).toEqual([]);
  });

  it.each([
    ['that is no JSON', '{ "hooks": ', ':1:'],
    [
      'with a hook that is not understood',
      '{\n "hooks": { "PreToolUse": [{ "hooks": [{ "type": "prompt" }] }] } }',
      ':2:',
    ],
  ])('in a file %s let no call run and no prompt through until it is mended', async (_, content, place) => {
    world = await createWorld({ settings: { hooks: hook('PreToolUse', 'true') } });
    await put({});
    await setWorkspace(world, { projectHooks: true });
    const calls = [write, command('b', 'echo ran > b.txt')];
    const session = await world.session([{ await: 'go', calls }, { text: 'Done.' }, { calls: [write] }]);
    await session.begin();
    await session.event(({ type }) => type === 'step/start');
    await putFile(content);
    await world.request('script.release', { sessionId: session.id, barrier: 'go' });
    await session.idle();
    const where = `${join(folder(), 'settings.json')}${place}`;
    const refused = { status: 'refused', code: 'unavailable', content: expect.stringContaining(where) };
    expect(await Promise.all(['a', 'b'].map((id) => session.result(id)))).toMatchObject([refused, refused]);
    // The hooks of the settings have run all the same.
    expect((await session.of('hook/ran')).map(({ hook: text }) => text)).toEqual(['true', 'true']);

    await world.request('session.prompt', { sessionId: session.id, text: 'Nobody may read this' });
    expect(await session.idle()).toBe('blocked');
    expect(await notices(session)).toEqual(['project-hooks-broken']);
    await put({});
    expect(await session.one()).toMatchObject({ status: 'ok' });
    expect((await shown(session)).filter((line) => line.startsWith('user:'))).toEqual(['user: Go', 'user: Go']);
    expect(await notices(session)).toEqual(['project-hooks-broken', 'project-hooks-broken']);
  });

  it('are not read through a link', async () => {
    world = await createWorld();
    const elsewhere = join(world.folder, 'elsewhere.json');
    await writeFile(elsewhere, JSON.stringify({ hooks: hook('PreToolUse', 'exit 0') }));
    await mkdir(folder());
    await symlink(elsewhere, join(folder(), 'settings.json'));
    await setWorkspace(world, { projectHooks: true });
    const session = await world.turns([[write]]);
    expect(await session.turn()).toEqual([]);
    expect(await session.of('turn/end')).toMatchObject([
      { reason: 'blocked', message: expect.stringContaining('it is a link') },
    ]);
    await rm(join(folder(), 'settings.json'));
    expect(await session.one()).toMatchObject({ status: 'ok' });
  });
});

it('a hooks block of the settings that is not understood is refused whole, with its place', async () => {
  world = await createWorld({ settings: { hooks: hook('PreToolUse', 'exit 2') } });
  const { revision } = await world.request('settings.get', {});
  const reply = await world.reply('settings.set', {
    revision,
    changes: { hooks: { PreToolUse: [{ hooks: [{ type: 'http' }] }] } },
  });
  expect(reply).toMatchObject({
    ok: false,
    code: 'invalid-input',
    message: expect.stringContaining('hooks.PreToolUse.0.hooks.0.type'),
  });
  const session = await world.turns([[command('a', 'true')]]);
  expect((await session.one()).code).toBe('hook-denied');
  await vi.waitFor(async () => expect((await world.request('settings.get', {})).settings).toMatchObject({ hooks: {} }));
});
