import { describe, expect, it } from 'vitest';
import { Cancelled } from '../base/cancel.ts';
import type { CallId, CleanupId, SessionId } from '../base/id.ts';
import { until } from '../base/waiting.fixture.ts';
import type { CleanupEvent } from '../cleanup/cleanup.ts';
import { Cleanups } from '../cleanup/cleanups.ts';
import { Started } from '../cleanup/started.ts';
import { MemoryJournal } from '../log/journal.fixture.ts';
import type { PolicyEvent } from '../policy/events.ts';
import { foldPolicy, NO_POLICY } from '../policy/fold.ts';
import type { HookPoint } from '../policy/settingsHooks.ts';
import { policyOf } from '../sandbox/policy.fixture.ts';
import type { Unavailable } from '../sandbox/provider.ts';
import { factsOf, ScriptedCommands } from '../tool/tools/commands.fixture.ts';
import type { HookEvent } from './events.ts';
import type { Hook } from './hook.ts';
import { SessionHooks } from './sessionHooks.ts';
import type { HooksInForce } from './source.ts';

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
  const state: { force: HooksInForce; some: boolean; policy?: Unavailable } = {
    force: { kind: 'hooks', hooks },
    some: true,
  };
  const source = { some: () => state.some, read: async () => state.force, known: () => hooks };
  const session = {
    id: 's1' as SessionId,
    journal,
    policyState: () => journal.events.reduce(foldPolicy, NO_POLICY),
    resolvePolicy: async (mode: 'read-only' | 'workspace-write' | 'danger-full-access') =>
      state.policy ?? policyOf(mode),
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

  it('are unknown where they cannot be read or confined: a call is not let pass, a prompt is', async () => {
    const { all, state } = hooksOf({ a: 0 });
    state.force = { kind: 'unknown', message: 'broken' };
    expect(await all.before(call, never)).toEqual({ kind: 'unknown', message: 'broken' });
    expect(await all.after(call, DONE, never)).toEqual([]);
    expect(await all.prompt({ seq: 1, text: 'Go' }, never)).toBeUndefined();
    state.policy = { kind: 'unavailable', code: 'SANDBOX_UNAVAILABLE', message: 'Nothing can be confined' };
    expect(await all.before(call, never)).toMatchObject({ kind: 'unknown' });
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
