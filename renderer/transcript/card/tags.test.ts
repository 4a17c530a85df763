import { describe, expect, it } from 'vitest';
import { en } from '../../text/en.ts';
import {
  asked,
  call,
  cleanupAsked,
  environmentStarted,
  jobEnded,
  jobStarted,
  nestedStart,
  result,
  started,
} from '../log.fixture.ts';
import type { Call } from '../row.ts';
import { callOf, facts } from './card.fixture.ts';
import { headOf } from './head.ts';
import { isLive, tagsOf } from './tags.ts';

function tags(of: Call, now = 0): readonly string[] {
  return tagsOf(of, en, now).map(({ tone, text }) => (tone === 'plain' ? text : `${text} (${tone})`));
}

const bash = [call('c', 'bash', { command: 'npm test' }), started('c', 'bash')];

describe('how a call stands', () => {
  it('is said while it goes on, with a time that moves', () => {
    const running = callOf(...bash);
    expect(tags(running, 5_500)).toEqual(['2.5 s', 'running (run)']);
    expect(isLive(running)).toBe(true);
    expect(tags(callOf(call('c', 'bash', {})))).toEqual(['not started']);
    expect(tags(callOf(call('c', 'run_code', {}), asked('a', 'c')))).toEqual(['waits for you (wait)']);
  });

  it('names the Environment that a program waits for, and for how long', () => {
    const waiting = callOf(cleanupAsked('k', 'e_1234567890'), call('c', 'run_code', {}));
    expect(tags(waiting, 14_000)).toEqual(['waits for cleanup of Environment e_123456 (12.0 s) (wait)']);
  });

  it('is the exit code of a command where that is not 0, and its time as it was measured', () => {
    expect(tags(callOf(...bash, result('c', 'bash', { facts: facts('') })))).toEqual(['1.9 s', 'ok (run)']);
    const failed = result('c', 'bash', { facts: facts('', { exitCode: 3 }) });
    expect(tags(callOf(...bash, failed))).toEqual(['1.9 s', 'exit 3 (danger)']);
  });

  it('is the signal, the limit or the reason of what failed', () => {
    const killed = result('c', 'bash', { status: 'failed', facts: facts('', { exitCode: null, signal: 'SIGKILL' }) });
    expect(tags(callOf(...bash, killed))).toEqual(['1.9 s', 'failed: SIGKILL (danger)']);
    const limit = result('c', 'bash', { status: 'failed', code: 'memory-limit', facts: facts('') });
    expect(tags(callOf(...bash, limit))).toEqual(['1.9 s', 'failed: memory limit (danger)']);
    const full = result('c', 'bash', { facts: facts('', { limit: 'temp', exitCode: 0 }) });
    expect(tags(callOf(...bash, full))).toEqual(['temp limit (wait)', '1.9 s', 'ok (run)']);
    const unknown = result('c', 'bash', { status: 'unknown', code: 'TOOL_OUTCOME_UNKNOWN' });
    expect(tags(callOf(...bash, unknown)).at(-1)).toBe('outcome unknown (wait)');
    const cancelled = result('c', 'bash', { status: 'cancelled', code: 'mode-changed' });
    expect(tags(callOf(...bash, cancelled)).at(-1)).toBe('cancelled: Mode changed (wait)');
  });

  it('says a denial in one word, and that it is a guess where it is one', () => {
    const denied = result('c', 'write', { status: 'refused', code: 'denied' });
    expect(tags(callOf(call('c', 'write', { path: '/etc/x' }), denied))).toEqual(['denied (danger)']);
    const rejected = result('c', 'bash', { status: 'refused', code: 'rejected' });
    expect(tags(callOf(call('c', 'bash', {}), rejected))).toEqual(['denied by you (danger)']);
    const hook = result('c', 'bash', { status: 'refused', code: 'hook-denied' });
    expect(tags(callOf(call('c', 'bash', {}), hook))).toEqual(['denied by a hook (danger)']);
    const guess = { operation: 'write', mode: 'read-only', certain: false } as const;
    const guessed = result('c', 'bash', { facts: facts('', { exitCode: 1 }), denied: [guess] });
    expect(tags(callOf(...bash, guessed))).toEqual(['probably denied (wait)', '1.9 s', 'exit 1 (danger)']);
  });

  it('says what was written, found and read', () => {
    const path = { path: 'a' };
    const done = (tool: string, value: object) =>
      tags(callOf(call('c', tool, path), result('c', tool, { value: value as never }))); // Whatever a tool says.
    expect(done('write', { bytes: 1_234, created: true })).toEqual(['1,234 bytes', 'new (run)']);
    expect(done('write', { bytes: 1, created: false })).toEqual(['1 byte', 'written (run)']);
    expect(done('edit', { replacements: 2 })).toEqual(['2 replacements', 'edited (run)']);
    expect(done('read', { lines: 7, bytes: 99 })).toEqual(['7 lines', 'ok (run)']);
    expect(done('grep', { matches: [{}] })).toEqual(['1 match', 'ok (run)']);
    expect(done('glob', { paths: [] })).toEqual(['0 files', 'ok (run)']);
  });
});

describe('the Environment of a program', () => {
  const program = call('p', 'run_code', { code: '1', title: 'One' });

  it('is kept, or for one time', () => {
    const kept = callOf(environmentStarted('e_abcdefgh'), program, started('p', 'run_code', 'e_abcdefgh'));
    expect(tags(kept, 4_000)[0]).toBe('Environment e_abcdef · kept');
    const once = callOf(environmentStarted('e_2', false), program, started('p', 'run_code', 'e_2', 'a'));
    expect(tags(once, 4_000)[0]).toBe('Environment e_2 · one time');
    expect(tags(callOf(program, started('p', 'run_code', 'e_3')), 4_000)[0]).toBe('Environment e_3');
  });

  it('has lost its variables, and the card says why', () => {
    const lost = result('p', 'run_code', { lost: { reason: 'mode-changed' } });
    expect(tags(callOf(program, lost))).toEqual(['variables are gone: Mode changed (wait)', 'ok (run)']);
  });
});

describe('a job', () => {
  const begun = [
    call('c', 'job_start', { title: 'Dev server', command: 'npm run dev' }),
    started('c', 'job_start'),
    jobStarted('j', 'c', { title: 'Dev server' }),
    result('c', 'job_start'),
  ];

  it('goes on beside its turn, with a time that moves', () => {
    const running = callOf(...begun);
    expect(isLive(running)).toBe(true);
    expect(tags(running, 8_500)).toEqual(['4.5 s', 'running (run)']);
    expect(headOf(running, en)).toEqual({ tool: 'Job', what: 'Dev server' });
  });

  it('has ended as the log says, after the time that it ran', () => {
    const ended = (data: Parameters<typeof jobEnded>[1]) => callOf(...begun, jobEnded('j', data));
    expect(isLive(ended({}))).toBe(false);
    expect(tags(ended({}), 90_000)).toEqual(['2.0 s', 'exit 0 (run)']);
    expect(tags(ended({ exitCode: 1 }))).toEqual(['2.0 s', 'exit 1 (danger)']);
    expect(tags(ended({ outcome: 'stopped', signal: 'SIGKILL' }))).toEqual(['2.0 s', 'stopped (wait)']);
    expect(tags(ended({ outcome: 'temp-limit' }))).toEqual(['2.0 s', 'temp limit (danger)']);
  });

  it('that was refused says why', () => {
    const refused = result('c', 'job_start', { status: 'refused', code: 'unavailable' });
    expect(tags(callOf(call('c', 'job_start', { title: 'x' }), refused))).toEqual([
      'refused: not possible now (danger)',
    ]);
  });
});

describe('the head of a card', () => {
  const head = (of: Call) => headOf(of, en);

  it('is what the call is about, one line of it', () => {
    expect(head(callOf(call('c', 'bash', { command: '\n  ls -l\nrm x' })))).toEqual({ tool: 'Command', what: 'ls -l' });
    expect(head(callOf(call('c', 'run_code', { code: '1', title: 'Count' })))).toEqual({
      tool: 'Program',
      what: 'Count',
    });
    expect(head(callOf(call('c', 'nope', { n: 1, x: 'y' })))).toEqual({ tool: 'nope', what: 'y' });
    expect(head(callOf(call('c', 'bash', null)))).toEqual({ tool: 'Command', what: 'null' });
  });

  it('is what is known when the call itself is not here', () => {
    expect(head(callOf(result('c', 'edit')))).toEqual({ tool: 'Edit', what: '' });
    expect(head(callOf(nestedStart('p:1', 'p', 'read', { path: 'a' })))).toEqual({ tool: 'Call', what: '' });
    expect(headOf(callOf(result('c', 'constructor')), en).tool).toBe('constructor');
  });
});
