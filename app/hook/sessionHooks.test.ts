import { describe, expect, it } from 'vitest';
import { Cancelled } from '../base/cancel.ts';
import type { CallId, CleanupId, SessionId } from '../base/id.ts';
import { until } from '../base/waiting.fixture.ts';
import type { CleanupEvent } from '../cleanup/cleanup.ts';
import { Cleanups } from '../cleanup/cleanups.ts';
import { Started } from '../cleanup/started.ts';
import { StorageError } from '../log/journal.ts';
import { MemoryJournal } from '../log/journal.fixture.ts';
import type { PolicyEvent } from '../policy/events.ts';
import { foldPolicy, NO_POLICY } from '../policy/fold.ts';
import type { HookPoint } from '../policy/settingsHooks.ts';
import type { Mode } from '../sandbox/mode.ts';
import { policyOf } from '../sandbox/policy.fixture.ts';
import type { Unavailable } from '../sandbox/provider.ts';
import { factsOf, ScriptedCommands } from '../tool/tools/commands.fixture.ts';
import type { HookEvent } from './events.ts';
import type { Hook } from './hook.ts';
import { SessionHooks } from './sessionHooks.ts';
import type { HooksInForce, HookSource } from './source.ts';

const never = new AbortController().signal;
const call = { callId: 'c1' as CallId, tool: 'write', input: { path: 'a' } };
const DONE = { status: 'ok', content: 'done' } as const;

/** What a hook prints when it is run, by its command: it exits with the number, or says the object; `wait` does not end. */
type Script = Readonly<Record<string, number | object | 'wait'>>;

/** The hooks of one Session, whose commands answer as a test says. */
function hooksOf(script: Script, on: HookPoint = 'PreToolUse') {
  const journal = new MemoryJournal<HookEvent | CleanupEvent | PolicyEvent>();
  const started = new Started();
  const cleanups = new Cleanups({ newId: () => 'k1' as CleanupId, now: () => 1, started, onFault: () => undefined });
  const commands = new ScriptedCommands();
  commands.onStart = ({ run, onOutput }, end) => {
    const answer = 'shell' in run ? script[run.shell] : undefined;
    if (answer === 'wait') return;
    onOutput?.(
      typeof answer === 'object' ? 'stdout' : 'stderr',
      typeof answer === 'object' ? JSON.stringify(answer) : 'because',
    );
    end({ facts: factsOf({ exitCode: typeof answer === 'number' ? answer : 0 }), hints: [] });
  };
  const hooks = Object.keys(script).map((command): Hook => ({
    on,
    matcher: '',
    command,
    timeoutMs: 1000,
    writes: 'none',
  }));
  const state: { force: HooksInForce; some: boolean; policy?: Unavailable; during?: () => void } = {
    force: { kind: 'hooks', hooks },
    some: true,
  };
  const read: HookSource['read'] = async (_, signal) => {
    await Promise.resolve();
    state.during?.();
    signal.throwIfAborted();
    return state.force;
  };
  const source = { some: () => state.some, read, known: () => hooks };
  const session = {
    id: 's1' as SessionId,
    journal,
    policyState: () => journal.events.reduce(foldPolicy, NO_POLICY),
    resolvePolicy: async (mode: Mode) => state.policy ?? policyOf(mode),
  };
  const all = new SessionHooks({ session, commands, cleanups, started, source });
  const ran = () => journal.events.flatMap((event) => (event.type === 'hook/ran' ? [event.data] : []));
  return { all, ran, journal, commands, started, cleanups, state };
}

describe('all hooks of a point', () => {
  it('run one after the other, whatever the first ones say, and the narrowest answer counts', async () => {
    const { all, ran } = hooksOf({
      a: { decision: 'allow' },
      b: { decision: 'ask', reason: 'sure?' },
      c: 2,
      d: { context: 'more' },
      e: 2,
    });
    expect(await all.before(call, never)).toEqual({ kind: 'denied', reason: 'because', lines: ['[hook d] more'] });
    expect(ran().map(({ hook, decision }) => [hook, decision])).toEqual([
      ['a', 'allow'],
      ['b', 'ask'],
      ['c', 'deny'],
      ['d', undefined],
      ['e', 'deny'],
    ]);
  });

  it('have a person asked where none denies, and let the call pass where none minds', async () => {
    const asking = hooksOf({ a: { decision: 'allow' }, b: { decision: 'ask', reason: 'sure?' } });
    expect(await asking.all.before(call, never)).toEqual({ kind: 'ask', reason: 'sure?', lines: [] });
    const passing = hooksOf({ a: { decision: 'allow' }, b: 1 });
    expect(await passing.all.before(call, never)).toEqual({ kind: 'passed', lines: [] });
    expect(passing.ran()[1]).toMatchObject({ exitCode: 1, reason: 'it failed with exit code 1: because' });
  });

  it('are not looked for where there are none', async () => {
    const { all, state, commands } = hooksOf({ a: 2 });
    state.some = false;
    state.policy = { kind: 'unavailable', code: 'SANDBOX_UNAVAILABLE', message: 'Nothing can be confined' };
    expect(await all.before(call, never)).toEqual({ kind: 'passed', lines: [] });
    expect(commands.requests).toEqual([]);
  });

  it('are unknown where they cannot be read or confined: neither a call nor a prompt is let pass', async () => {
    const { all, state, ran } = hooksOf({ a: 0 });
    state.force = { kind: 'unknown', message: 'broken', hooks: [] };
    expect(await all.before(call, never)).toEqual({ kind: 'unknown', message: 'broken' });
    expect(await all.after(call, DONE, never)).toEqual([]);
    const reason = 'nobody knows what the hooks say of it: broken';
    expect(await all.prompt({ seq: 1, text: 'Go' }, never)).toBe(reason);
    // So no later request has it either.
    expect(ran()).toMatchObject([{ on: 'UserPromptSubmit', prompt: 1, decision: 'deny', reason, exitCode: null }]);
    state.policy = { kind: 'unavailable', code: 'SANDBOX_UNAVAILABLE', message: 'Nothing can be confined' };
    expect(await all.before(call, never)).toMatchObject({ kind: 'unknown' });
    expect(await all.prompt({ seq: 2, text: 'Go' }, never)).toContain('Nothing can be confined');
  });

  it('run as far as they are known, and their no is told before that nobody knows the others', async () => {
    const known: readonly Hook[] = (['PreToolUse', 'UserPromptSubmit'] as const).map((on) => ({
      on,
      matcher: '',
      command: on === 'PreToolUse' ? 'a' : 'b',
      timeoutMs: 1000,
      writes: 'none',
    }));
    const { all, state, ran } = hooksOf({ a: 2, b: 0 });
    state.force = { kind: 'unknown', message: 'broken', hooks: known };
    expect(await all.before(call, never)).toEqual({ kind: 'denied', reason: 'because', lines: [] });
    expect(await all.prompt({ seq: 1, text: 'Go' }, never)).toContain('broken');
    expect(ran().map(({ hook }) => hook)).toEqual(['a', 'b', '(hooks that are not known)']);
  });

  it('run when what they are asked about is on disk, and not at all where the disk does not take it', async () => {
    const { all, journal, commands } = hooksOf({ a: 0 });
    journal.append({ type: 'sandbox/mode', data: { mode: 'read-only' } });
    const held = journal.holdFlush();
    const verdict = all.before(call, never);
    await until(() => journal.flushes === 1);
    expect(commands.requests).toEqual([]);
    held();
    await verdict;
    expect(commands.requests).toHaveLength(1);
    journal.failFlush(new StorageError('full', true));
    await expect(all.before(call, never)).rejects.toBeInstanceOf(StorageError);
    expect(commands.requests).toHaveLength(1);
  });

  it('that are being read when the policy changes are no fault: a call gets nothing, a prompt is asked about anew', async () => {
    const { all, journal, state, ran } = hooksOf({ a: 2 }, 'UserPromptSubmit');
    const flip = (mode: Mode) => {
      let isDue = true;
      state.during = () => {
        if (isDue) journal.append({ type: 'sandbox/mode', data: { mode } });
        isDue = false;
      };
    };
    flip('read-only');
    expect(await all.before(call, never)).toEqual({ kind: 'passed', lines: [] });
    flip('workspace-write');
    expect(await all.prompt({ seq: 1, text: 'Go' }, never)).toBe('because');
    expect(ran()).toHaveLength(1);
  });

  it('tell the model what they object to once the call has run', async () => {
    const { all } = hooksOf(
      { 'lint\n  --fix': { decision: 'block', reason: 'lint first' }, b: { context: 'more' } },
      'PostToolUse',
    );
    expect(await all.after(call, DONE, never)).toEqual(['[hook lint --fix] lint first', '[hook b] more']);
  });

  it('refuse a prompt also by asking, since nobody can be asked about one', async () => {
    const { all, ran } = hooksOf({ a: { decision: 'ask', reason: 'sure?' } }, 'UserPromptSubmit');
    expect(await all.prompt({ seq: 4, text: 'Go' }, never)).toBe('sure?');
    expect(ran()).toMatchObject([{ prompt: 4, decision: 'ask' }]);
  });
});

describe('one hook', () => {
  it('that cannot start denies what it was asked about, and is recorded without an end', async () => {
    const { all, ran, commands } = hooksOf({ a: 0 });
    commands.refusal = { kind: 'start-failed', message: 'no shell' };
    expect(await all.before(call, never)).toMatchObject({ kind: 'denied', reason: 'it did not start: no shell' });
    expect(ran()).toEqual([
      {
        hook: 'a',
        on: 'PreToolUse',
        callId: 'c1',
        decision: 'deny',
        reason: 'it did not start: no shell',
        exitCode: null,
        signal: null,
        durationMs: 0,
      },
    ]);
  });

  it('is listed while it runs, ended as one Cleanup when its call is cancelled, and recorded once', async () => {
    const { all, ran, started, cleanups, commands } = hooksOf({ a: 'wait', b: 0 });
    const controller = new AbortController();
    const verdict = all.before(call, controller.signal);
    await until(() => started.list('s1' as SessionId).length === 1);
    expect(started.list('s1' as SessionId)).toMatchObject([
      { what: 'hook', id: 'c1', title: 'PreToolUse: a', mode: 'workspace-write' },
    ]);
    controller.abort(new Cancelled({ kind: 'stopped', by: 'person' }));
    expect(await verdict).toEqual({ kind: 'passed', lines: [] });
    expect(cleanups.list()).toMatchObject([{ what: 'hook', cause: { kind: 'stop' }, phase: 'released' }]);
    expect(commands.closed).toBe(1);
    expect(ran()).toMatchObject([{ hook: 'a', reason: 'it was cancelled and ended' }]);
    expect(started.list('s1' as SessionId)).toEqual([]);
  });

  it('is let begin when it is listed, and never where it is cancelled by then', async () => {
    const { all, commands } = hooksOf({ a: 0 });
    await all.before(call, never);
    expect(commands.requests).toMatchObject([{ held: true }]);
    expect(commands.gone).toBe(1);
    const controller = new AbortController();
    commands.onStart = () => controller.abort(new Cancelled({ kind: 'stopped', by: 'person' }));
    await all.before(call, controller.signal);
    expect(commands).toMatchObject({ gone: 1, closed: 1 });
  });

  it('that ends and leaves behind what cannot be ended stays listed, as a Cleanup that failed', async () => {
    const { all, commands, started, cleanups } = hooksOf({ a: 0 });
    commands.attempts.push({ ok: false, phase: 'killing', error: 'process 8 is still alive' });
    commands.onStart = (_, end) => end({ facts: factsOf(), hints: [], closeError: 'process 8 is still alive' });
    expect(await all.before(call, never)).toMatchObject({ kind: 'denied' });
    expect(started.list('s1' as SessionId)).toHaveLength(1);
    expect(cleanups.list()).toMatchObject([{ what: 'hook', failed: { error: 'process 8 is still alive' } }]);
  });

  it('runs under the Mode in force when it is due', async () => {
    const { all, journal, started } = hooksOf({ a: 'wait' });
    journal.append({ type: 'sandbox/mode', data: { mode: 'read-only' } });
    const verdict = all.before(call, never);
    await until(() => started.list('s1' as SessionId).length === 1);
    expect(started.list('s1' as SessionId)).toMatchObject([{ mode: 'read-only' }]);
    journal.append({ type: 'sandbox/mode', data: { mode: 'workspace-write' } });
    await verdict;
  });

  it('leaves no observer behind when the Session closes', () => {
    const { all, journal } = hooksOf({});
    expect(journal.observers).toBe(1);
    all.close();
    expect(journal.observers).toBe(0);
  });
});
