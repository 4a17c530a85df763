import { expect, it } from 'vitest';
import { deniedLine } from './denied.ts';
import { judgeEscalation } from './escalation.ts';

const justification = 'the build writes to the cache';

it.each(['', '   ', '\n\t'])('ESC-4: refuses the blank justification %j without a question', (blank) => {
  const verdict = judgeEscalation({
    standing: 'read-only',
    escalate: { to: 'workspace-write', justification: blank },
  });
  expect(verdict).toMatchObject({ kind: 'refused', code: 'invalid-input' });
});

it('refuses a justification that is too long to be shown', () => {
  const escalate = { to: 'workspace-write' as const, justification: 'x'.repeat(70_000) };
  expect(judgeEscalation({ standing: 'read-only', escalate })).toMatchObject({ code: 'invalid-input' });
});

it('ESC-9: judges widening against the Mode of the Session, not against a default', () => {
  const escalate = { to: 'workspace-write' as const, justification };
  expect(judgeEscalation({ standing: 'read-only', escalate })).toEqual({
    kind: 'ask',
    scope: { kind: 'once', from: 'read-only', to: 'workspace-write' },
    rule: 'The mode is read-only; this one call asks to run under workspace-write.',
    justification,
  });
});

it('5-h: runs in the mode it already has without a question, and refuses a narrower one with the reason', () => {
  const standing = 'danger-full-access';
  const equal = judgeEscalation({ standing, escalate: { to: 'danger-full-access', justification } });
  expect(equal).toMatchObject({ kind: 'standing', note: expect.stringContaining('danger-full-access') as string });
  const narrower = judgeEscalation({ standing, escalate: { to: 'read-only', justification } });
  expect(narrower).toMatchObject({
    kind: 'refused',
    code: 'not-wider',
    content: expect.stringContaining('read-only allows no more than danger-full-access') as string,
  });
});

it('names the mode of a denial, and an escalation exactly where one is possible', () => {
  expect(deniedLine('read-only', 'ask')).toContain('workspace-write or danger-full-access');
  expect(deniedLine('workspace-write', 'ask')).toMatch(/mode workspace-write\.\n.*escalate/);
  expect(deniedLine('workspace-write', 'never')).toContain('do not ask for escalation');
  expect(deniedLine('danger-full-access', 'never')).not.toContain('escalat');
});
