import { describe, expect, it } from 'vitest';
import { hooksAt, hooksFor, hooksOf, writesAround, type Hook } from './hook.ts';

function before(matcher: string, more: Partial<Hook> = {}): Hook {
  return { on: 'PreToolUse', matcher, command: 'true', timeoutMs: 1000, writes: 'unknown', ...more };
}

const knownBy = (matcher: string, tool: string) =>
  hooksFor([before(matcher)], 'PreToolUse', tool).map(({ known }) => known);

describe('hooksFor', () => {
  it.each([
    ['', 'write', ['Write']],
    ['*', 'job_start', ['Bash']],
    ['^write$', 'write', ['write']],
    ['Write|Edit|write', 'write', ['write']],
    ['*', 'run_code', ['run_code']],
    ['write|edit', 'edit', ['edit']],
    ['Write|Edit', 'edit', ['Edit']],
    ['Write', 'edit', []],
    ['Bash', 'bash', ['Bash']],
    ['Bash', 'job_start', ['Bash']],
    ['write', 'rewrite', []],
    ['job_.*', 'job_kill', ['job_kill']],
    ['^(Read|Grep)$', 'grep', ['Grep']],
    ['.*', 'read', ['Read']],
    ['constructor', 'constructor', ['constructor']],
    ['toString', 'none', []],
  ])('the matcher "%s" knows %s as %j', (matcher, tool, known) => {
    expect(knownBy(matcher, tool)).toEqual(known);
  });

  it('gives those of the point alone', () => {
    expect(hooksFor([before('', { on: 'PostToolUse' })], 'PreToolUse', 'write')).toEqual([]);
  });
});

describe('hooksOf', () => {
  it('gives the hooks of a block in their order, with what they do not say filled in', () => {
    const block = {
      Stop: [{ matcher: 'ignored', hooks: [{ type: 'command' as const, command: 'c', timeout: 600 }] }],
      PreToolUse: [
        { hooks: [{ type: 'command' as const, command: 'a' }] },
        { matcher: 'x', hooks: [{ type: 'command' as const, command: 'b', timeout: 1.5, writes: 'none' as const }] },
      ],
    };
    const hooks = hooksOf(block);
    expect(hooksFor(hooks, 'PreToolUse', 'x').map(({ hook }) => hook)).toEqual([
      { on: 'PreToolUse', matcher: '', command: 'a', timeoutMs: 60_000, writes: 'unknown' },
      { on: 'PreToolUse', matcher: 'x', command: 'b', timeoutMs: 1_500, writes: 'none' },
    ]);
    expect(hooksAt(hooks, 'Stop')).toMatchObject([{ command: 'c', timeoutMs: 60_000 }]);
  });
});

describe('writesAround', () => {
  it('is unknown as soon as one hook before or after the call does not say', () => {
    const named = before('', { writes: ['a'] });
    expect(writesAround([named, before('', { on: 'PostToolUse' })], 'read')).toBe('unknown');
    expect(writesAround([named, before('', { on: 'PostToolUse', writes: ['b'] })], 'read')).toEqual(['a', 'b']);
    expect(writesAround([before('', { writes: 'none' }), before('write'), before('', { on: 'Stop' })], 'read')).toBe(
      'none',
    );
  });
});
