import { describe, expect, it } from 'vitest';
import { narrowest, readAnswer, type HookEnd } from './answer.ts';

const ended = (more: Partial<HookEnd>): HookEnd => ({
  exitCode: 0,
  signal: null,
  stdout: '',
  stderr: '',
  isCut: false,
  ...more,
});
const says = (value: unknown): HookEnd => ended({ stdout: `${JSON.stringify(value)}\n` });

describe('readAnswer', () => {
  it('takes exit code 2 for a no, with what stands on stderr as the reason', () => {
    expect(readAnswer('PreToolUse', ended({ exitCode: 2, stdout: '{"decision":"allow"}', stderr: ' no \n' }))).toEqual({
      decision: 'deny',
      reason: 'no',
    });
    expect(readAnswer('PreToolUse', ended({ exitCode: 2 }))).toEqual({ decision: 'deny', reason: 'it gave no reason' });
  });

  it('takes any other exit code for a failure of the hook, which decides nothing', () => {
    const answer = readAnswer('PreToolUse', ended({ exitCode: 1, stdout: '{"decision":"deny"}', stderr: 'oops' }));
    expect(answer).toEqual({ reason: 'it failed with exit code 1: oops' });
  });

  it.each([
    [{ decision: 'allow' }, { decision: 'allow' }],
    [
      { decision: 'approve', reason: 'fine' },
      { decision: 'allow', reason: 'fine' },
    ],
    [
      { decision: 'deny', reason: 'no' },
      { decision: 'deny', reason: 'no' },
    ],
    [
      { decision: 'block', reason: 'no' },
      { decision: 'deny', reason: 'no' },
    ],
    [
      { decision: 'ask', reason: 'sure?', context: 'c' },
      { decision: 'ask', reason: 'sure?', context: 'c' },
    ],
    [{ decision: 'deny' }, { decision: 'deny', reason: 'it gave no reason' }],
    [{ hookSpecificOutput: [{ permissionDecision: 'allow' }] }, { decision: 'deny', reason: 'it gave no reason' }],
    [{ decision: 'perhaps' }, { decision: 'deny', reason: 'it gave no reason' }],
    [{ decision: 1 }, { decision: 'deny', reason: 'it gave no reason' }],
    [
      { continue: false, stopReason: 'enough' },
      { decision: 'deny', reason: 'enough' },
    ],
    [
      { hookSpecificOutput: { permissionDecision: 'ask', permissionDecisionReason: 'sure?', additionalContext: 'c' } },
      { decision: 'ask', reason: 'sure?', context: 'c' },
    ],
    [
      { decision: 'allow', hookSpecificOutput: { permissionDecision: 'deny' } },
      { decision: 'deny', reason: 'it gave no reason' },
    ],
    [{ context: ' only this ' }, { context: 'only this' }],
    [{}, {}],
  ])('reads %j', (value, answer) => {
    expect(readAnswer('PreToolUse', says(value))).toEqual(answer);
  });

  it('takes what is no object for plain text: no decision, and context where a prompt is taken', () => {
    for (const stdout of ['deny', '["deny"]', '"deny"', 'null', 'see\n{ this }\n{"a":1}']) {
      expect(readAnswer('PreToolUse', ended({ stdout }))).toEqual({});
      expect(readAnswer('UserPromptSubmit', ended({ stdout }))).toEqual({ context: stdout });
    }
  });

  it('takes what begins like an object and is none for no answer', () => {
    for (const stdout of ['{"decision":"deny"', '{"decision":"deny","reason":"a "b""}', '{"context":"c"}\nmore']) {
      const why = 'its answer is no valid JSON';
      expect(readAnswer('PreToolUse', ended({ stdout }))).toEqual({ decision: 'deny', reason: why });
      expect(readAnswer('PostToolUse', ended({ stdout }))).toEqual({ reason: why });
    }
  });

  it.each([
    ['behind a byte-order mark', '\uFEFF{"decision":"deny","reason":"no"}', { decision: 'deny', reason: 'no' }],
    [
      'in lines of JSON, the strictest of them',
      '{"context":"lint ok"}\n\n{"decision":"deny","reason":"no"}\r\n{"decision":"allow","reason":"yes"}\n',
      { decision: 'deny', reason: 'no', context: 'lint ok' },
    ],
    ['behind lines of a log', 'checking…\n{"decision":"deny","reason":"no"}', { decision: 'deny', reason: 'no' }],
    [
      'over several lines behind a log',
      'hm\n{\n "decision": "ask"\n}',
      { decision: 'ask', reason: 'it gave no reason' },
    ],
  ])('finds an answer %s', (_, stdout, answer) => {
    expect(readAnswer('PreToolUse', ended({ stdout }))).toEqual(answer);
  });

  it('does not take the silence of a hook that was asked for leave for a yes', () => {
    const failed = ended({ exitCode: null, unanswered: { kind: 'failed', why: 'it was too slow' } });
    const killed = ended({ exitCode: null, signal: 'SIGKILL' });
    expect(readAnswer('PreToolUse', failed)).toEqual({ decision: 'deny', reason: 'it was too slow' });
    expect(readAnswer('UserPromptSubmit', killed)).toEqual({ decision: 'deny', reason: 'it was ended by SIGKILL' });
    expect(readAnswer('Stop', failed)).toEqual({ reason: 'it was too slow' });
    expect(readAnswer('PostToolUse', killed)).toEqual({ reason: 'it was ended by SIGKILL' });
  });

  it('does not take an object that was cut for one without a decision', () => {
    const cut = ended({ stdout: '{"context":"very long', isCut: true });
    expect(readAnswer('PreToolUse', cut)).toEqual({ decision: 'deny', reason: 'its answer is too long to be read' });
    expect(readAnswer('PreToolUse', ended({ stdout: 'a long report', isCut: true }))).toEqual({});
  });

  it('takes nothing from a hook that was cancelled: whoever asked it is cancelled too, or asks again', () => {
    const unanswered = { kind: 'cancelled', why: 'it was cancelled' } as const;
    expect(readAnswer('PreToolUse', ended({ exitCode: null, unanswered }))).toEqual({ reason: 'it was cancelled' });
  });

  it('does not take a wish to stop everything for one to go on', () => {
    expect(readAnswer('Stop', says({ continue: false, decision: 'block', reason: 'more' }))).not.toHaveProperty(
      'decision',
    );
  });

  it('says no more than a log and a model can hold', () => {
    const long = 'x'.repeat(60_000);
    expect(readAnswer('PreToolUse', ended({ exitCode: 2, stderr: long })).reason?.length).toBeLessThan(2_100);
    expect(readAnswer('Stop', says({ context: long })).context?.length).toBeLessThan(10_100);
    expect(readAnswer('PreToolUse', ended({ exitCode: 2, stderr: '\ud800' })).reason?.isWellFormed()).toBe(true);
  });
});

it('deny beats ask beats allow, in whatever order they come', () => {
  expect(narrowest(['allow', 'deny', 'ask'])).toBe('deny');
  expect(narrowest(['allow', 'ask'])).toBe('ask');
  expect(narrowest(['allow'])).toBe('allow');
  expect(narrowest([])).toBeUndefined();
});
