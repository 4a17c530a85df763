import { describe, expect, it, vi } from 'vitest';
import { Cancelled } from '../../base/cancel.ts';
import type { CleanupId } from '../../base/id.ts';
import type { Mode } from '../../sandbox/mode.ts';
import { placeOf } from '../../sandbox/place.ts';
import { typed, world } from '../dispatch.fixture.ts';
import type { CommandDone, Files } from '../ports.ts';
import { bashTool } from './bash.ts';
import { factsOf, ScriptedCommands } from './commands.fixture.ts';
import { confinement, policyOf, RecordingRun } from './toolRun.fixture.ts';

const never = new AbortController().signal;

function session(mode: Mode = 'workspace-write') {
  const commands = new ScriptedCommands();
  const at = confinement(policyOf(mode, '/ws', { writableRoots: ['/extra'] }));
  // Paths without links: the real ones are followed by the files themselves.
  const files: Pick<Files, 'locate'> = {
    locate: async (path, { policy }) => placeOf(path.startsWith('/') ? path : `/ws/${path}`, policy),
  };
  const tool = bashTool({ commands, files, deniedLine: () => `Denied by the sandbox mode ${mode}.` });
  const run = new RecordingRun(at);
  return {
    commands,
    at,
    run,
    tool,
    bash: (asked: object, signal = never) => tool.run(tool.input.parse(asked), run, signal),
    endWith: (done: Partial<CommandDone>) => {
      commands.onStart = (_request, end) => end({ facts: factsOf(), hints: [], ...done });
    },
  };
}

/** The tool in a whole dispatch, with commands of nobody. */
function dispatched() {
  const commands = new ScriptedCommands();
  const files: Pick<Files, 'locate'> = { locate: async (path, { policy }) => placeOf(path, policy) };
  const tool = bashTool({ commands, files, deniedLine: () => 'Denied.' });
  return { commands, ...world({ mode: 'danger-full-access', tools: () => [typed(tool)] }) };
}

describe('a command that is being started', () => {
  it('begins when it is listed, and not before', async () => {
    const { commands, call, started, session } = dispatched();
    const listed: number[] = [];
    commands.onGo = (end) => {
      listed.push(started.list(session.id).length);
      end({ facts: factsOf(), hints: [] });
    };
    expect(await call('bash', { command: 'x' })).toMatchObject({ status: 'ok' });
    expect([commands.requests[0]?.held, listed]).toEqual([true, [1]]);
  });

  it('never begins when the Mode changes meanwhile, and is ended as a Cleanup', async () => {
    const { commands, call, setMode, cleanups, started, session } = dispatched();
    commands.onStart = () => void setMode('read-only');
    expect(await call('bash', { command: 'x' })).toMatchObject({ status: 'cancelled', code: 'mode-changed' });
    expect([commands.requests[0]?.held, commands.gone]).toEqual([true, 0]);
    expect(cleanups.list()).toMatchObject([{ what: 'command', phase: 'released', cause: { kind: 'mode' } }]);
    expect(started.list(session.id)).toEqual([]);
  });
});

describe('a command that ended by itself and left what could not be ended', () => {
  it('is listed and a Cleanup that can be tried again, and its call says so', async () => {
    const { commands, call, cleanups, started, session, setMode, lease } = dispatched();
    const stuck = { ok: false, phase: 'killing', error: 'process 8 is still alive' } as const;
    commands.attempts.push(stuck);
    commands.onGo = (end) => end({ facts: factsOf(), hints: [], closeError: stuck.error });
    const result = await call('bash', { command: 'x' });
    expect(result).toMatchObject({ facts: { exitCode: 0 }, cleanupError: expect.stringContaining(stuck.error) });
    const [cleanup] = cleanups.list(session.id);
    expect(cleanup).toMatchObject({ what: 'command', cause: { kind: 'stop' }, failed: { error: stuck.error } });
    expect([started.list(session.id).length, lease.holds]).toEqual([1, 1]);
    setMode('read-only');
    expect(started.list(session.id)).toMatchObject([{ mode: 'danger-full-access' }]);
    expect(await cleanups.retry(cleanup?.cleanupId ?? ('none' as CleanupId))).toMatchObject({
      phase: 'released',
      attempts: 2,
    });
    expect(started.list(session.id)).toEqual([]);
    await vi.waitFor(() => expect(lease.holds).toBe(0));
  });
});

describe('bash', () => {
  it.each([' \n', 'echo a\0b'])('refuses %j: no shell could run it', (command) => {
    expect(session().tool.input.safeParse({ command }).success).toBe(false);
  });

  it('runs in the workspace for 120 s unless told otherwise', async () => {
    const { bash, commands, endWith } = session();
    endWith({});
    await bash({ command: 'x' });
    await bash({ command: 'x', cwd: 'sub', timeoutMs: 600_000 });
    expect(commands.requests).toMatchObject([
      { run: { shell: 'x' }, cwd: '/ws', timeoutMs: 120_000 },
      { cwd: '/ws/sub', timeoutMs: 600_000 },
    ]);
  });

  it.each([
    { command: ' ' },
    { command: 'x', timeoutMs: 600_001 },
    { command: 'x', timeoutMs: 0 },
    { command: 'x', env: {} },
  ])('does not take %j', (asked) => {
    expect(session().tool.input.safeParse(asked).success).toBe(false);
  });

  it('runs in no other folder than a person was asked about', async () => {
    const { bash, run, commands } = session();
    run.approved = { kind: 'command', command: 'x', cwd: '/ws/before' };
    expect(await bash({ command: 'x', cwd: 'after' })).toMatchObject({ status: 'refused', code: 'denied' });
    expect(commands.requests).toEqual([]);
  });

  it('writes the whole workspace where it may write at all', async () => {
    expect(await session().tool.plan({ command: 'x', timeoutMs: 1 }, session().at, never)).toEqual({ writes: 'whole' });
    const { tool, at } = session('read-only');
    expect(await tool.plan({ command: 'x', timeoutMs: 1 }, at, never)).toEqual({ writes: 'none' });
  });

  it.each(['/', '/home/somebody', '/ws-evil', '/etc'])(
    '2-f: refuses the working folder %s, before and when it runs',
    async (cwd) => {
      const { bash, tool, at, commands } = session();
      const { refusal } = await tool.plan({ command: 'x', cwd, timeoutMs: 1 }, at, never);
      expect(refusal).toMatchObject({ status: 'refused', code: 'denied', denied: [{ path: cwd, certain: true }] });
      expect(refusal?.content).toContain('outside workspace');
      expect(await bash({ command: 'x', cwd })).toMatchObject({ code: 'denied' });
      expect(commands.requests).toEqual([]);
    },
  );

  it.each(['/ws/deep', '/extra/x', '/tmp/x'])('runs in %s, which the sandbox has anyway', async (cwd) => {
    const { bash, commands, endWith } = session();
    endWith({});
    await bash({ command: 'x', cwd });
    expect(commands.requests).toMatchObject([{ cwd }]);
  });

  it('ends a command whose time is up as a visible Cleanup, and says timeout', async () => {
    const { bash, commands, run } = session();
    // Already up when the start is told.
    commands.onStart = ({ onTimeout }) => onTimeout?.();
    expect(await bash({ command: 'x', timeoutMs: 1500 })).toMatchObject({
      status: 'failed',
      code: 'timeout',
      content: expect.stringContaining('timed out after 1.5 s') as string,
    });
    expect(run.ended).toEqual([{ kind: 'limit' }]);
    expect(run.gone).toBe(1);
  });

  it('passes output on as it comes', async () => {
    const { bash, commands, run } = session();
    commands.onStart = ({ onOutput }, end) => {
      onOutput?.('stdout', 'a');
      onOutput?.('stderr', 'b');
      end({ facts: factsOf(), hints: [] });
    };
    await bash({ command: 'x' });
    expect(run.outputs).toEqual(['a', 'b']);
  });

  it('SBX-16: tells a start that failed plainly', async () => {
    const { bash, commands } = session();
    commands.refusal = { kind: 'start-failed', message: 'No such folder: /ws/none' };
    expect(await bash({ command: 'x', cwd: 'none' })).toEqual({
      status: 'failed',
      code: 'not-found',
      content: 'The command did not start: No such folder: /ws/none',
    });
  });

  it.each(['SANDBOX_UNAVAILABLE', 'workspace-missing'] as const)(
    '2-g: refuses with %s and its remedy',
    async (code) => {
      const { bash, commands, run } = session();
      commands.refusal = { kind: 'unavailable', code, message: 'Not here.', remedy: 'Install it.' };
      expect(await bash({ command: 'x' })).toEqual({ status: 'refused', code, content: 'Not here. Install it.' });
      expect(run.tracked).toEqual([]);
    },
  );

  it('cuts the title of a running command between two characters', async () => {
    const { bash, endWith, run } = session();
    endWith({});
    await bash({ command: `${'x'.repeat(119)}😀😀` });
    expect(run.tracked[0]?.title).toBe(`${'x'.repeat(119)}…`);
  });

  it('says why it was cancelled', async () => {
    const { bash, endWith } = session();
    endWith({ facts: factsOf({ exitCode: null, cancelled: true }) });
    const signal = AbortSignal.abort(new Cancelled({ kind: 'mode-changed', seq: 4 }));
    expect(await bash({ command: 'x' }, signal)).toMatchObject({ status: 'cancelled', code: 'mode-changed' });
  });
});
