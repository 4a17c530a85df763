import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { SessionId } from '../base/id.ts';
import type { Json } from '../base/json.ts';
import { canonicalCall as textOf, digestOfCall, digestOfLoggedCall, type BoundCall } from './boundCall.ts';

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
const canonicalCall = (bound: BoundCall) => textOf(bound, sha256);

const call: BoundCall = {
  sessionId: 's_1' as SessionId,
  tool: 'bash',
  input: { command: 'make', env: { b: [1, 'x'], a: null } },
  cwd: '/w',
  to: 'workspace-write',
};

it('gives equal calls one text, whatever the order of their keys', () => {
  const { to, cwd, input, tool, sessionId } = call;
  const reordered = { env: { a: null, b: [1, 'x'] }, command: 'make' };
  expect(input).toEqual(reordered);
  expect(canonicalCall({ to: to ?? 'read-only', cwd, input: reordered, tool, sessionId })).toBe(canonicalCall(call));
});

it.each([
  ['tool', { tool: 'write' }],
  ['Session', { sessionId: 's_2' as SessionId }],
  ['working directory', { cwd: '/w/a' }],
  ['target', { to: 'danger-full-access' as const }],
  ['input', { input: { command: 'make', env: { b: ['x', 1], a: null } } }],
  ['type in the input', { input: { command: 'make', env: { b: ['1', 'x'], a: null } } }],
])('gives a call with another %s another text', (_, part) => {
  expect(canonicalCall({ ...call, ...part })).not.toBe(canonicalCall(call));
});

it('gives inputs equal texts exactly when they are equal', () => {
  const text = (input: Json) => canonicalCall({ ...call, input });
  fc.assert(
    fc.property(fc.jsonValue(), fc.jsonValue(), (one, other) => {
      const [left, right] = [JSON.parse(JSON.stringify(one)) as Json, JSON.parse(JSON.stringify(other)) as Json];
      expect(JSON.parse(text(left))).toMatchObject({ input: left });
      expect(text(left) === text(right)).toBe(JSON.stringify(sorted(left)) === JSON.stringify(sorted(right)));
    }),
  );
});

it('is had again from a log that has shortened its long strings, and differs when the kept one is another', () => {
  const command = 'é'.repeat(40_000);
  const bound: BoundCall = { ...call, input: { command, list: [command, 'short'] } };
  const text = { text: command.slice(-9), bytes: 80_000, dropped: 0 };
  const logged = (blob: string) => ({
    ...bound,
    input: { list: [{ ...text, blob }, 'short'], command: { ...text, blob } },
  });
  expect(digestOfLoggedCall(bound, sha256)).toBe(digestOfCall(bound, sha256));
  expect(digestOfLoggedCall(logged(sha256(command)), sha256)).toBe(digestOfCall(bound, sha256));
  expect(digestOfLoggedCall(logged(sha256('other')), sha256)).not.toBe(digestOfCall(bound, sha256));
});

it('is not that of a call that only looks like a shortened one', () => {
  const command = 'x'.repeat(5_000);
  const posing = { ...call, input: { command: { text: 'x', bytes: 5_000, dropped: 0, blob: sha256(command) } } };
  expect(digestOfCall(posing, sha256)).not.toBe(digestOfCall({ ...call, input: { command } }, sha256));
  expect(digestOfCall({ ...call, input: { command: `#${sha256(command)}` } }, sha256)).not.toBe(
    digestOfCall({ ...call, input: { command } }, sha256),
  );
});

function sorted(value: Json): Json {
  if (value === null || typeof value !== 'object') return value;
  if (Array.isArray(value)) return (value as readonly Json[]).map(sorted);
  const members = Object.entries(value).map(([key, member]): [string, Json] => [key, sorted(member)]);
  return { members: members.toSorted(([one], [other]) => (one < other ? -1 : 1)) };
}
