import { expect, it } from 'vitest';
import type { ApprovalId } from '../base/id.ts';
import { approvalRefusal, type NotAllowed } from './refusal.ts';

const approvalId = 'a_1' as ApprovalId;
const cases: readonly NotAllowed[] = [
  { approvalId, kind: 'rejected', by: 'person' },
  { approvalId, kind: 'rejected', by: 'policy' },
  { approvalId, kind: 'cancelled', reason: 'turn-ended' },
  { approvalId, kind: 'unavailable', reason: 'no-answerer' },
  { approvalId, kind: 'unavailable', reason: 'timeout' },
  { approvalId, kind: 'unavailable', reason: 'answerer-failed' },
  { approvalId, kind: 'storage', fault: new Error('disk full') },
];

it('has a message of its own for every way of not being allowed, each saying that nothing ran', () => {
  const messages = cases.map((outcome) => approvalRefusal(outcome).content);
  expect(new Set(messages).size).toBe(cases.length);
  for (const message of messages) expect(message).toContain('Nothing ran');
});

it('ESC-2: names a user rejection and hands the note over verbatim', () => {
  const note = '  Use the cache,\nnot the network. ';
  const refusal = approvalRefusal({ approvalId, kind: 'rejected', by: 'person', note });
  expect(refusal).toMatchObject({ code: 'rejected' });
  expect(refusal.content).toContain('Rejected by the user');
  expect(refusal.content.endsWith(note)).toBe(true);
});

it('5-h: names the approval policy never as the reason', () => {
  expect(approvalRefusal({ approvalId, kind: 'rejected', by: 'policy' })).toMatchObject({
    code: 'rejected',
    content: expect.stringContaining('approval policy is never') as string,
  });
});
