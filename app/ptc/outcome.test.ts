import { describe, expect, it } from 'vitest';
import { Cancelled, type CancelCause } from '../base/cancel.ts';
import type { EnvironmentEnd } from './events.ts';
import type { Completion } from './nodeProvider.ts';
import { outcomeOf } from './outcome.ts';

const LIVE = new AbortController().signal;
const SPOKEN = { kept: true, logs: { text: '', bytes: 0, dropped: 0 }, display: [], late: [] };
const retained = { environment: { retained: true }, signal: LIVE, escalated: false };
const aborted = (why: CancelCause) => ({ ...retained, signal: AbortSignal.abort(new Cancelled(why)) });
const lostFor = (reason: EnvironmentEnd): Completion => ({
  ...SPOKEN,
  kept: false,
  kind: 'lost',
  reason,
  exitCode: null,
  signal: 'SIGKILL',
});

describe('the outcome of a program', () => {
  it('is its lossless value, in content and as value', () => {
    expect(outcomeOf({ ...SPOKEN, kind: 'value', value: { a: 1 } }, retained)).toEqual({
      status: 'ok',
      content: '{\n  "a": 1\n}',
      value: { a: 1 },
    });
    expect(outcomeOf({ ...SPOKEN, kind: 'value', value: null }, retained)).toMatchObject({
      value: null,
      content: 'null',
    });
  });

  it('8-c: is the inspect text and no value where JSON cannot carry it', () => {
    const outcome = outcomeOf({ ...SPOKEN, kind: 'inspected', text: 'Map(0) {}' }, retained);
    expect(outcome).toEqual({ status: 'ok', content: 'Map(0) {}' });
  });

  it('has what was logged before the result, whole and as text, and what was displayed', () => {
    const logs = { text: 'one\ntwo\n', bytes: 8, dropped: 0 };
    expect(outcomeOf({ ...SPOKEN, logs, display: [1], kind: 'value', value: 2 }, retained)).toEqual({
      status: 'ok',
      content: 'one\ntwo\n2',
      value: 2,
      logs,
      display: [1],
    });
  });

  it('8-a: names what was left behind and went wrong later', () => {
    const { content } = outcomeOf({ ...SPOKEN, late: ['Error: late'], kind: 'value', value: 1 }, retained);
    expect(content).toBe('Left behind by an earlier or this program: Error: late\n1');
  });

  it('is failed with the stack for an exception', () => {
    const thrown = {
      ...SPOKEN,
      kind: 'exception',
      name: 'Error',
      message: 'no',
      stack: 'Error: no\n at cell-1.js:1:1',
    } as const;
    expect(outcomeOf(thrown, retained)).toEqual({
      status: 'failed',
      code: 'exception',
      content: 'Error: no\n at cell-1.js:1:1',
    });
  });

  it.each([
    ['ReferenceError', true, true],
    ['ReferenceError', false, false],
    ['TypeError', true, false],
  ])('says of a %s in an escalated program (%s) that it runs afresh: %s', (name, escalated, isSaid) => {
    const thrown = { ...SPOKEN, kind: 'exception', name, message: 'v', stack: 'stack' } as const;
    const { content } = outcomeOf(thrown, { ...retained, escalated });
    expect(content.includes('fresh process without the standing variables')).toBe(isSaid);
  });

  it.each<[CancelCause, string, string, boolean]>([
    [{ kind: 'stopped', by: 'person' }, 'cancelled', 'stopped', true],
    [{ kind: 'turn-ended' }, 'cancelled', 'stopped', true],
    [{ kind: 'timeout' }, 'failed', 'timeout', true],
    [{ kind: 'mode-changed', seq: 1 }, 'cancelled', 'mode-changed', false],
    [{ kind: 'settings-changed', seq: 1 }, 'cancelled', 'mode-changed', false],
    [{ kind: 'shutdown' }, 'cancelled', 'shutdown', false],
    [{ kind: 'unload' }, 'cancelled', 'shutdown', false],
  ])('of one that was stopped softly by %j is %s %s, variables kept: %s', (why, status, code, isKept) => {
    const outcome = outcomeOf({ ...SPOKEN, kind: 'stopped' }, aborted(why));
    expect(outcome).toMatchObject({ status, code });
    expect(outcome.content.endsWith('The variables were kept.')).toBe(isKept);
    expect(outcome).not.toHaveProperty('lost');
  });

  it('8-b: of one that used its time up is failed as timeout, with the variables where they were kept', () => {
    expect(outcomeOf({ ...SPOKEN, kind: 'stopped' }, retained)).toEqual({
      status: 'failed',
      code: 'timeout',
      content: 'The program ran out of time and was stopped. The variables were kept.',
    });
    expect(outcomeOf(lostFor('timeout'), retained)).toMatchObject({
      status: 'failed',
      code: 'timeout',
      lost: { reason: 'timeout' },
    });
    const temporary = { ...retained, environment: { retained: false } };
    expect(outcomeOf({ ...SPOKEN, kind: 'stopped' }, temporary).content).not.toContain('variables');
    expect(outcomeOf({ ...SPOKEN, kept: false, kind: 'stopped' }, retained).content).not.toContain('variables');
  });

  it.each<[EnvironmentEnd, string, string]>([
    ['released', 'failed', 'environment-lost'],
    ['mode-changed', 'cancelled', 'mode-changed'],
    ['settings-changed', 'cancelled', 'mode-changed'],
    ['timeout', 'failed', 'timeout'],
    ['abort', 'cancelled', 'stopped'],
    ['output-limit', 'failed', 'output-limit'],
    ['heap-limit', 'failed', 'heap-limit'],
    ['memory-limit', 'failed', 'memory-limit'],
    ['crash', 'failed', 'environment-lost'],
    ['exit', 'failed', 'environment-lost'],
    ['idle', 'failed', 'environment-lost'],
    ['reset', 'failed', 'environment-lost'],
    ['restarted', 'failed', 'environment-lost'],
    ['protected-entry', 'failed', 'environment-lost'],
  ])('of one whose process ended by %s is %s %s and tells of the loss', (reason, status, code) => {
    const outcome = outcomeOf(lostFor(reason), retained);
    expect(outcome).toMatchObject({ status, code, lost: { reason } });
    expect(outcome.content).toContain('The variables are gone.');
    const temporary = outcomeOf(lostFor(reason), { ...retained, environment: { retained: false } });
    expect(temporary).not.toHaveProperty('lost');
    expect(temporary.content).not.toContain('variables are gone');
  });

  it('of one whose process had to be ended for a Stop is cancelled, not failed', () => {
    expect(outcomeOf(lostFor('abort'), aborted({ kind: 'stopped', by: 'person' }))).toMatchObject({
      status: 'cancelled',
      code: 'stopped',
      lost: { reason: 'abort' },
    });
  });

  it('PTC-4: keeps what was printed before the output limit', () => {
    const logs = { text: 'yyy\n', bytes: 9_000_000, dropped: 8_999_996 };
    const outcome = outcomeOf({ ...lostFor('output-limit'), logs }, retained);
    expect(outcome).toMatchObject({ status: 'failed', code: 'output-limit', logs });
    expect(outcome.content).toMatch(/^yyy\n\[the end of 9000000 bytes of output, 8999996 bytes were dropped\]\n/);
  });

  it('RET-16: tells the next program that the variables of earlier ones are gone, and why', () => {
    const after = { ...retained, environment: { retained: true, lost: { reason: 'crash' as const } } };
    expect(outcomeOf({ ...SPOKEN, kind: 'value', value: 1 }, after)).toEqual({
      status: 'ok',
      content: 'The variables of earlier programs are gone (crash).\n1',
      value: 1,
      lost: { reason: 'crash' },
    });
  });
});
