import { describe, expect, it } from 'vitest';
import { MODES } from '../sandbox/mode.ts';
import { contextDue, policyContext, switchNotices } from './context.ts';
import { APPROVAL_POLICIES } from './events.ts';
import type { PolicyPair } from './fold.ts';

const PAIRS: readonly PolicyPair[] = MODES.flatMap((mode) => APPROVAL_POLICIES.map((policy) => ({ mode, policy })));
const ASK = 'Where a call offers escalation, a person can be asked to allow a wider mode for exactly that call, once.';
const NEVER = 'Nobody is asked. Do not ask for escalation.';
const NARROW = 'Nothing can be written but private temporary files.';
const INSIDE =
  'The workspace and private temporary files can be written, protected entries excepted; nothing else can.';

describe('the context message', () => {
  it('has exactly these bytes for each of the six pairs', () => {
    expect(PAIRS.map(policyContext)).toEqual([
      `Sandbox mode: read-only. ${NARROW}\nApproval policy: ask. ${ASK}`,
      `Sandbox mode: read-only. ${NARROW}\nApproval policy: never. ${NEVER}`,
      `Sandbox mode: workspace-write. ${INSIDE}\nApproval policy: ask. ${ASK}`,
      `Sandbox mode: workspace-write. ${INSIDE}\nApproval policy: never. ${NEVER}`,
      'Sandbox mode: danger-full-access. Nothing is confined.\n' +
        'Approval policy: ask. No wider mode exists, so there is nothing to ask for.',
      `Sandbox mode: danger-full-access. Nothing is confined.\nApproval policy: never. ${NEVER}`,
    ]);
  });

  it('differs for any two pairs, so that a switch is never passed over', () => {
    expect(new Set(PAIRS.map(policyContext)).size).toBe(PAIRS.length);
  });

  it('names no tool: it is true whatever the model is given to work with', () => {
    for (const text of PAIRS.map(policyContext)) {
      expect(text).not.toMatch(/\b(tools?|bash|edit|glob|grep|run_code|job_\w+|delegate|programs?|commands?)\b/);
    }
  });

  it('is due once, and again exactly when its bytes are others than those that were said last', () => {
    const before: PolicyPair = { mode: 'workspace-write', policy: 'ask' };
    const said = contextDue(undefined, before);
    expect(said).toBe(policyContext(before));
    expect(contextDue(said, { ...before })).toBeUndefined();
    for (const other of PAIRS.filter(({ mode, policy }) => mode !== before.mode || policy !== before.policy))
      expect(contextDue(said, other)).toBe(policyContext(other));
  });
});

it('a switch is told with the old and the new value of each knob that moved, and of no other', () => {
  const before: PolicyPair = { mode: 'workspace-write', policy: 'ask' };
  expect(switchNotices(before, before)).toEqual([]);
  expect(switchNotices(before, { mode: 'read-only', policy: 'never' })).toEqual([
    'The sandbox mode was changed from workspace-write to read-only.',
    'The approval policy was changed from ask to never.',
  ]);
  expect(switchNotices(before, { mode: 'workspace-write', policy: 'never' })).toHaveLength(1);
});
