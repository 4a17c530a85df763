import { expect, it } from 'vitest';
import { whole } from '../base/text.ts';
import { withDenials } from './denials.ts';
import type { Completion } from './nodeProvider.ts';

const SPOKEN = { kept: true, logs: whole(''), display: [], late: [] };
const thrown = (name: string, message: string): Completion => ({
  ...SPOKEN,
  kind: 'exception',
  name,
  message,
  stack: `${name}: ${message}`,
});
const outcome = { status: 'failed', code: 'exception', content: 'Error: EROFS' } as const;
const denied = [{ operation: 'write', path: '/x', mode: 'read-only', certain: false }] as const;
const found = (message: string) => (message.includes('EROFS') ? { denied, line: 'Denied by the mode.' } : undefined);

it('a program that died of a denial says so behind its error, as a hint', () => {
  expect(withDenials(outcome, thrown('Error', "EROFS: read-only file system, open '/x'"), found)).toEqual({
    ...outcome,
    content: 'Error: EROFS\nDenied by the mode.',
    denied,
  });
});

it.each<[string, Completion]>([
  ['died of something else', thrown('TypeError', 'no')],
  ['was refused by a tool, which has said so', thrown('ToolError', 'EROFS')],
  ['has a value', { ...SPOKEN, kind: 'value', value: 'EROFS' }],
])('a program that %s is told as it was', (_name, completion) => {
  expect(withDenials(outcome, completion, found)).toBe(outcome);
});
