import { describe, expect, it } from 'vitest';
import { policyOf } from '../../app/sandbox/policy.fixture.ts';
import { denialHints } from './denials.ts';

const policy = policyOf('workspace-write');
const paths = (line: string) => denialHints(line, '/w/sub', policy).map(({ path }) => path);

describe('denialHints', () => {
  it.each([
    ["touch: cannot touch '/etc/x': Read-only file system", '/etc/x'],
    ['mkdir: cannot create directory ‘/opt/a b’: Read-only file system', '/opt/a b'],
    ['bash: line 1: /etc/x: Read-only file system', '/etc/x'],
    ['sh: 1: cannot create ../../etc/x: Read-only file system', '/etc/x'],
    ["Error: EROFS: read-only file system, open '/etc/x'", '/etc/x'],
    ["OSError: [Errno 30] Read-only file system: '/etc/x'", '/etc/x'],
    ["PermissionError: [Errno 13] Permission denied: '/etc/x'", '/etc/x'],
    ["error: could not lock config file '/w/.git/config': Operation not permitted", '/w/.git/config'],
  ])('finds the path in: %s', (line, path) => {
    expect(paths(line)).toEqual([path]);
  });

  it('says nothing of a permission that the policy would have given', () => {
    expect(denialHints("open '/w/a': Permission denied", '/w', policy)).toEqual([]);
    expect(denialHints('Permission denied (publickey)', '/w', policy)).toEqual([]);
  });

  it('takes a read-only file system for ours where no path is named', () => {
    expect(denialHints('fatal: Read-only file system', '/w', policy)).toEqual([{ operation: 'write' }]);
  });

  it('tells a blocked unix socket from a write', () => {
    expect(denialHints('Error: listen EPERM: operation not permitted /w/a.sock', '/w', policy)).toEqual([
      { operation: 'socket' },
    ]);
  });

  it('finds a blocked unix socket in a trace that names it above its message', () => {
    const trace = '  File "a.py", line 1, in <module>\n    s = socket.socket(socket.AF_UNIX)\n        ~~~\n';
    const message = 'PermissionError: [Errno 1] Operation not permitted';
    expect(denialHints(trace + message, '/w', policy)).toEqual([{ operation: 'socket' }]);
    expect(denialHints(`${trace}\n\n\n\n${message}`, '/w', policy)).toEqual([]);
  });

  it('says each thing once, and not without end', () => {
    const line = "touch '/etc/x': Read-only file system\n";
    expect(denialHints(line.repeat(5), '/w', policy)).toHaveLength(1);
    const many = Array.from({ length: 50 }, (_, index) => line.replace('x', `x${index}`)).join('');
    expect(denialHints(many, '/w', policy)).toHaveLength(10);
  });

  it('says nothing of ordinary output', () => {
    expect(denialHints('see /etc/x for details\n', '/w', policy)).toEqual([]);
  });
});
