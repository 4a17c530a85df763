import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { readProc } from './process/identity.ts';
import { command, escalate, file, program, type World } from './core.fixture.ts';
import { answering, hook, hookedWorld } from './hooks.fixture.ts';

let world: World;
afterEach(() => world.close());

const inRepo = (name: string) => join(world.workspace, name);
const textOf = (name: string) => readFile(inRepo(name), 'utf8');
const isThere = (path: string) =>
  stat(path).then(
    () => true,
    () => false,
  );

const DENY = 'echo "not on my watch" >&2; exit 2';
const write = (id: string, name = 'a.txt') => file(id, 'write', { path: name, content: 'x' });
const nestedWrite = (id: string) =>
  program(
    id,
    `let told = 'written'; try { await tools.write({ path: 'a.txt', content: 'x' }) } catch (error) { told = [error instanceof ToolError, error.tool, error.code, error.message] } told`,
  );

describe('a hook before a call', () => {
  it('PTC-14: denies a nested call: the program gets a rejection, and the tool did not run', async () => {
    world = await hookedWorld(hook('PreToolUse', DENY, { matcher: 'Write' }));
    const session = await world.turns([[nestedWrite('a')]]);
    const { value } = await session.one();
    expect(value).toEqual([true, 'write', 'hook-denied', expect.stringContaining('not on my watch')]);
    expect(await isThere(inRepo('a.txt'))).toBe(false);
    expect(await session.of('tool/nested-result')).toMatchObject([{ status: 'refused', code: 'hook-denied' }]);
    expect(await session.of('hook/ran')).toMatchObject([
      { on: 'PreToolUse', callId: 'a:1', decision: 'deny', reason: 'not on my watch', exitCode: 2, signal: null },
    ]);
    expect((await session.of('tool/started')).map(({ callId }) => callId)).toEqual(['a']);
    await session.expectVerified();
  });

  it('denies a direct call before anything of it has started', async () => {
    world = await hookedWorld(hook('PreToolUse', DENY));
    const session = await world.turns([[write('a')]]);
    expect(await session.one()).toMatchObject({
      status: 'refused',
      code: 'hook-denied',
      content: 'Denied by a hook: not on my watch\nNothing ran.',
    });
    expect(await isThere(inRepo('a.txt'))).toBe(false);
    expect(await session.types()).not.toContain('tool/started');
  });

  it.each(['direct', 'nested'])('has a person asked about a %s call, who allows it', async (kind) => {
    world = await hookedWorld(
      hook('PreToolUse', answering({ decision: 'ask', reason: 'Is it wise?' }), { matcher: 'write' }),
    );
    const session = await world.turns([[kind === 'direct' ? write('a') : nestedWrite('a')]]);
    await session.begin();
    const asked = await session.asked(kind === 'direct' ? 'a' : 'a:1');
    expect(asked).toMatchObject({
      tool: 'write',
      rule: 'A hook asks about this call.',
      justification: 'A hook says: Is it wise?',
      scope: { kind: 'once', from: 'workspace-write' },
      subject: { kind: 'file', path: inRepo('a.txt') },
    });
    expect(asked.scope).not.toHaveProperty('to');
    expect(await isThere(inRepo('a.txt'))).toBe(false);
    await session.decide(asked.callId, 'allow-once');
    await session.idle();
    expect(await textOf('a.txt')).toBe('x');
    await session.expectVerified();
  });

  it.each(['direct', 'nested'])('has a person asked about a %s call, who denies it', async (kind) => {
    world = await hookedWorld(hook('PreToolUse', answering({ decision: 'ask' }), { matcher: 'write' }));
    const session = await world.turns([[kind === 'direct' ? write('a') : nestedWrite('a')]]);
    await session.begin();
    await session.decide(kind === 'direct' ? 'a' : 'a:1', 'deny', 'not today');
    await session.idle();
    expect(await isThere(inRepo('a.txt'))).toBe(false);
    expect(JSON.stringify(await session.result('a'))).toContain('not today');
  });

  it.each(['direct', 'nested'])('that allows a %s call skips no question and widens nothing', async (kind) => {
    world = await hookedWorld(hook('PreToolUse', answering({ decision: 'allow' })));
    const outside = join(world.folder, 'outside.txt');
    const input = { path: outside, content: 'x' };
    const code = `let told; try { await tools.write(${JSON.stringify(input)}) } catch (error) { told = error.code } told`;
    const plain = kind === 'direct' ? file('a', 'write', input) : program('a', code);
    const asking = file('b', 'write', { ...input, ...escalate('danger-full-access') });
    const session = await world.turns([[plain], [asking]]);
    const result = await session.one();
    expect(kind === 'direct' ? result.code : result.value).toBe('denied');
    await session.begin();
    await session.decide('b', 'deny');
    await session.idle();
    expect(await session.result('b')).toMatchObject({ status: 'refused', code: 'rejected' });
    expect(await isThere(outside)).toBe(false);
    await session.expectVerified();
  });

  it('does not run for a call that was refused before', async () => {
    world = await hookedWorld(hook('PreToolUse', 'true'));
    const session = await world.turns([
      [
        file('a', 'write', { path: '/etc/none', content: 'x' }),
        file('b', 'write', { path: 'a.txt', wrong: true }),
        { id: 'c', tool: 'none', input: {} },
      ],
    ]);
    expect((await session.turn()).map(({ code }) => code)).toEqual(['denied', 'invalid-input', 'unknown-tool']);
    expect(await session.of('hook/ran')).toEqual([]);
  });

  it('asks nobody under the policy never, which is a no', async () => {
    world = await hookedWorld(hook('PreToolUse', answering({ decision: 'ask' })));
    const session = await world.turns([[write('a')]]);
    await world.request('approvalPolicy.set', { sessionId: session.id, policy: 'never' });
    expect(await session.one()).toMatchObject({ status: 'refused', code: 'rejected' });
    expect(await isThere(inRepo('a.txt'))).toBe(false);
  });

  it('is told of the call exactly, on its standard input, and knows nothing secret', async () => {
    process.env['GATEHOUSE_TEST_API_KEY'] = 'very-secret';
    try {
      world = await hookedWorld(hook('PreToolUse', 'cat > seen.json; env > env.txt', { matcher: 'Write' }));
      const session = await world.turns([[write('a', 'new.txt')]]);
      expect((await session.one()).status).toBe('ok');
      expect(await textOf('seen.json')).toBe(
        `${JSON.stringify({
          session_id: session.id,
          cwd: world.workspace,
          hook_event_name: 'PreToolUse',
          tool_name: 'Write',
          tool_input: { path: 'new.txt', content: 'x', file_path: 'new.txt' },
          tool_use_id: 'a',
        })}\n`,
      );
      const env = await textOf('env.txt');
      expect(env).toContain(`CLAUDE_PROJECT_DIR=${world.workspace}\n`);
      expect(env).not.toContain('very-secret');
    } finally {
      delete process.env['GATEHOUSE_TEST_API_KEY'];
    }
  });
});

it('runs a hook without what a person has in .bashrc, which a shell with a socket for its input would run', async () => {
  const home = await mkdtemp('/var/tmp/gatehouse-home-');
  const before = process.env['HOME'];
  try {
    process.env['HOME'] = home;
    await writeFile(join(home, '.bashrc'), 'echo from-bashrc >&2\n');
    world = await hookedWorld(hook('PreToolUse', DENY));
    const session = await world.turns([[write('a')]]);
    expect((await session.one()).content).not.toContain('from-bashrc');
  } finally {
    process.env['HOME'] = before;
    await rm(home, { recursive: true, force: true });
  }
});

describe('a hook after a call', () => {
  it('is told what came of it, and tells the model more; the facts stay those of the tool', async () => {
    const told = answering({ decision: 'block', reason: 'lint first', context: 'the style guide is docs/style.md' });
    world = await hookedWorld(hook('PostToolUse', `cat > seen.json; ${told}`, { matcher: 'bash' }));
    const session = await world.turns([[command('a', 'echo hello; exit 3')]]);
    const result = await session.one();
    expect(result).toMatchObject({ status: 'ok', facts: { exitCode: 3, output: { text: 'hello\n' } } });
    const lines = result.content.split('\n').filter((line) => line.startsWith('[hook '));
    expect(lines).toEqual([
      expect.stringMatching(/] lint first$/),
      expect.stringMatching(/] the style guide is docs\/style.md$/),
    ]);
    expect(JSON.parse(await textOf('seen.json'))).toMatchObject({
      hook_event_name: 'PostToolUse',
      tool_name: 'bash',
      tool_response: { status: 'ok', facts: { exitCode: 3 } },
    });
  });

  it('does not run when nothing of the call has run', async () => {
    world = await hookedWorld({ ...hook('PreToolUse', DENY), ...hook('PostToolUse', 'true') });
    const session = await world.turns([[write('a')]]);
    await session.one();
    expect((await session.of('hook/ran')).map(({ on }) => on)).toEqual(['PreToolUse']);
  });
});

describe('what a hook may do', () => {
  it('is what the Mode of the Session allows, also around a call that was allowed more', async () => {
    world = await hookedWorld(hook('PreToolUse', `(echo x > ../outside.txt; echo "outside $?") > tried.txt 2>&1`));
    const home = join(world.home, 'settings.json');
    const session = await world.turns([
      [command('a', 'true')],
      [command('b', `cat ${home} | wc -c`, escalate('danger-full-access'))],
    ]);
    await session.one();
    expect(await textOf('tried.txt')).toMatch(/Read-only file system[\s\S]*outside 1/);
    await session.begin();
    await session.decide('b', 'allow-once');
    await session.idle();
    expect(await session.result('b')).toMatchObject({ status: 'ok', receipt: { mode: 'danger-full-access' } });
    expect(await textOf('tried.txt')).toMatch(/Read-only file system[\s\S]*outside 1/);
    expect(await isThere(join(world.folder, 'outside.txt'))).toBe(false);
    await session.expectVerified();
  });

  it('does not reach what is hidden', async () => {
    world = await hookedWorld(hook('PreToolUse', 'cat "$(cat where.txt)" > stolen.txt; true'));
    await writeFile(inRepo('where.txt'), join(world.home, 'settings.json'));
    const session = await world.turns([[command('a', 'true')]]);
    await session.one();
    expect(await textOf('stolen.txt')).toBe('');
  });

  it('is to leave no process behind', async () => {
    world = await hookedWorld(hook('PreToolUse', '(setsid sleep 3600 &) ; sleep 3600 & echo $! > pid.txt'));
    const session = await world.turns([[command('a', 'true')]]);
    expect((await session.one()).status).toBe('ok');
    expect(await session.of('hook/ran')).toMatchObject([{ exitCode: 0 }]);
    const left = world.processes().filter(({ pid }) => readProc(pid, 'cmdline')?.includes('sleep'));
    expect(left).toEqual([]);
  });

  it('is to print as much as it likes, of which the beginning counts', async () => {
    const blank = `head -c 30000000 /dev/zero | tr '\\0' ' '; echo '{"decision":"deny"}'`;
    const flood = "head -c 30000000 /dev/zero | tr '\\0' x";
    world = await hookedWorld({ ...hook('PreToolUse', blank), ...hook('SessionStart', flood) });
    const session = await world.turns([[command('a', 'true')]]);
    expect((await session.one()).status).toBe('ok');
    const [start, before] = await session.of('hook/ran');
    expect(start?.context?.length).toBeLessThan(11_000);
    expect(before).not.toHaveProperty('decision');
    expect((await session.log()).length).toBeLessThan(100_000);
    expect(await readdir(join(world.home, 'sessions', session.id))).not.toContain('blobs');
  });
});
