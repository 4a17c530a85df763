import { describe, expect, it } from 'vitest';
import { utf8Bytes } from '../../base/text.ts';
import type { Facts } from '../../sandbox/facts.ts';
import type { CommandDone } from '../ports.ts';
import { commandOutcome } from './commandOutcome.ts';
import { factsOf } from './commands.fixture.ts';
import { policyOf } from './toolRun.fixture.ts';

const never = new AbortController().signal;
const ran = {
  policy: policyOf('workspace-write', '/ws'),
  timeoutMs: 2_000,
  deniedLine: 'Denied by the sandbox mode workspace-write.',
  signal: never,
};
const of = (facts: Partial<Facts>, more: Partial<CommandDone> = {}) =>
  commandOutcome({ facts: factsOf(facts), hints: [], ...more }, ran);

describe('the outcome of a command', () => {
  it('is its output when all went well', () => {
    const output = { text: 'a\nb\n', bytes: 4, dropped: 0 };
    expect(of({ output })).toMatchObject({ status: 'ok', content: 'a\nb', value: { exitCode: 0, output } });
    expect(of({}).content).toBe('exit code 0, no output');
  });

  it('is ok with any exit code', () => {
    expect(of({ exitCode: 3 })).toMatchObject({
      status: 'ok',
      content: expect.stringMatching(/exit code 3$/) as string,
    });
  });

  it('3-d: tells a death by signal from an exit code that looks like one', () => {
    const killed = of({ exitCode: 137, signal: 'SIGKILL' });
    expect(killed).toMatchObject({ status: 'failed', facts: { signal: 'SIGKILL', exitCode: 137 } });
    expect(killed.content).toContain('killed by SIGKILL');
    expect(of({ exitCode: 143, signal: 'SIGTERM' }).content).toContain('killed by SIGTERM');
    const left = of({ exitCode: 137 });
    expect(left).toMatchObject({ status: 'ok', facts: { signal: null, exitCode: 137 } });
    expect(left.content).not.toContain('killed');
  });

  it.each([
    [{ timedOut: true, cancelled: true, signal: 'SIGKILL' }, 'failed', 'timeout'],
    [{ limit: 'memory', timedOut: true }, 'failed', 'memory-limit'],
    [{ limit: 'process', signal: 'SIGKILL' }, 'failed', 'process-limit'],
    [{ limit: 'temp', cancelled: true }, 'cancelled', 'stopped'],
    [{ limit: 'output', timedOut: true }, 'failed', 'timeout'],
    [{ cancelled: true, signal: 'SIGTERM' }, 'cancelled', 'stopped'],
  ] as const)('names the cause before the means: %j', (facts, status, code) => {
    const outcome = of({ exitCode: null, ...facts });
    expect(outcome).toMatchObject({ status, code });
    expect(outcome).not.toHaveProperty('value');
    expect(outcome.content).not.toContain('killed by');
  });

  it('says of a command that could have read what was to be hidden that it was ended for that, and what it was', () => {
    const outcome = of({ exitCode: null, signal: 'SIGKILL', revealed: '/home/u/.aws', limit: 'temp', cancelled: true });
    expect(outcome).toMatchObject({ status: 'failed', facts: { revealed: '/home/u/.aws' } });
    expect(outcome.content).toMatch(/^ended: a hidden file appeared while it ran, .*: \/home\/u\/\.aws$/);
  });

  it('leaves a command that filled the temp, or printed too much, the end that it had', () => {
    const full = of({ limit: 'temp', exitCode: 1 });
    expect(full).toMatchObject({ status: 'ok', code: 'temp-limit', value: { limit: 'temp', exitCode: 1 } });
    expect(full.content).toMatch(/^exit code 1; the private temp \(\/tmp, .*\) of this Session is full$/);
    expect(of({ limit: 'temp', exitCode: 0 })).not.toHaveProperty('code');
    expect(of({ limit: 'output', exitCode: 0 })).toMatchObject({ status: 'ok', code: 'output-limit' });
    expect(of({ limit: 'output', exitCode: null, signal: 'SIGTERM' })).toMatchObject({
      status: 'failed',
      code: 'output-limit',
      content: expect.stringContaining('killed by SIGTERM; it printed more than') as string,
    });
  });

  it('says what is missing of a long output', () => {
    const output = { text: 'end\n', bytes: 10_000, dropped: 5_000 };
    expect(of({ output }).content).toBe('[the end of 10000 bytes of output, 5000 bytes were dropped]\nend');
    expect(of({ output: { text: 'ä', bytes: 2, dropped: 0 } }).content).toBe('ä');
  });

  it('4-d: leaves room for what is said of a long output, so that it is not cut off with the beginning', () => {
    const output = { text: 'y'.repeat(65_536), bytes: 9_000_000, dropped: 500_000 };
    const { content } = of({ output, exitCode: 1 });
    expect(utf8Bytes(content)).toBeLessThanOrEqual(65_536);
    expect(content).toMatch(/^\[the end of 9000000 bytes of output, 500000 bytes were dropped\]\ny+\nexit code 1$/);
  });

  it('tells of processes that were left and of an ending that failed', () => {
    expect(of({ left: 2 }).content).toContain('2 background processes');
    const stuck = of({}, { closeError: 'pid 7 lives' });
    expect(stuck.content).toContain('pid 7 lives');
    expect(stuck.cleanupError).toBe('pid 7 lives');
  });

  const hints = [{ operation: 'write', path: '/etc/x' }];

  it('takes a printed denial for a hint, and names the Mode once', () => {
    const outcome = of({ exitCode: 1 }, { hints: [...hints, { operation: 'write', path: '/etc/y' }] });
    expect(outcome.denied).toEqual([
      { operation: 'write', path: '/etc/x', mode: 'workspace-write', certain: false },
      { operation: 'write', path: '/etc/y', mode: 'workspace-write', certain: false },
    ]);
    expect(outcome.content.match(/sandbox mode/g)).toHaveLength(1);
  });

  it.each([{ exitCode: 0 }, { exitCode: 137, signal: 'SIGKILL' }])('never takes %j for a denial', (facts) => {
    const outcome = of(facts, { hints });
    expect(outcome).not.toHaveProperty('denied');
    expect(outcome.content).not.toContain('Denied');
  });

  it('says that unix sockets are blocked where one was refused', () => {
    expect(of({ exitCode: 1 }, { hints: [{ operation: 'socket' }] }).content).toContain(
      'unix sockets are blocked in this workspace',
    );
  });
});
