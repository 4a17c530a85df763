import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MODES } from '../sandbox/mode.ts';
import { APPROVAL_POLICIES, type PolicyEvent } from './events.ts';
import { effective, foldPolicy, NO_POLICY } from './fold.ts';
import { pinMissing, pinNew } from './pin.ts';
import { Presets } from './presets.ts';
import { CUSTOM, DEFAULT_PRESETS, isUnknown, narrowestPreset, type Preset } from './presetTable.ts';
import { setApprovalPolicy, setSandboxMode } from './setters.ts';
import { policySubject } from './subject.fixture.ts';

describe('Presets', () => {
  it('PRE-1: lists in declaration order, and current is the matching one', () => {
    const presets = withTable();
    expect(presets.list().map((entry) => [entry.name, entry.sandbox, entry.approval])).toEqual([
      ['read-only', 'read-only', 'ask'],
      ['workspace-write', 'workspace-write', 'ask'],
      ['danger-full-access', 'danger-full-access', 'never'],
    ]);
    expect(presets.current(NO_POLICY)).toBe('workspace-write');
  });

  it('PRE-2: records the choice, then the Mode, then the policy, adjacent and with their source', () => {
    const subject = policySubject();
    const followed: string[] = [];
    subject.journal.observe((event) => subject.journal.followUp(() => followed.push(event.type)));
    expect(withTable().set(subject, 'danger-full-access')).toEqual({ seq: 0 });

    expect(subject.journal.events.map(({ type, data }) => [type, data])).toEqual([
      ['permission/preset', { preset: 'danger-full-access' }],
      ['sandbox/mode', { mode: 'danger-full-access', source: 'preset' }],
      ['approval/policy', { policy: 'never', source: 'preset' }],
    ]);
    expect(followed).toHaveLength(3);
  });

  it('PRE-4: says custom after a knob was changed directly, and refuses to select it', () => {
    const presets = withTable();
    const subject = policySubject();
    presets.set(subject, 'danger-full-access');
    setApprovalPolicy(subject, 'ask');
    const length = subject.journal.events.length;

    expect(presets.current(subject.policyState())).toBe(CUSTOM);
    expect(presets.set(subject, CUSTOM)).toMatchObject({
      kind: 'unknown-preset',
      message: expect.stringContaining('read-only, workspace-write, danger-full-access') as string,
    });
    expect(subject.journal.events).toHaveLength(length);
  });

  it('PRE-5: reports the second of two equal presets when it was selected; after a drift the order decides', () => {
    const presets = withTable([...DEFAULT_PRESETS, preset('careful', 'workspace-write', 'ask')]);
    const subject = policySubject();
    expect(presets.current(subject.policyState())).toBe('workspace-write');
    presets.set(subject, 'careful');
    expect(subject.journal.types()).toEqual(['permission/preset']);
    expect(presets.current(subject.policyState())).toBe('careful');

    setSandboxMode(subject, 'read-only');
    expect(presets.current(subject.policyState())).toBe('read-only');
    setSandboxMode(subject, 'workspace-write');
    expect(presets.current(subject.policyState())).toBe('careful');
    const moved = withTable([preset('first', 'workspace-write', 'ask'), ...DEFAULT_PRESETS]);
    expect(moved.current(subject.policyState())).toBe('first');
  });

  it('PRE-6: records the choice and only the drifted knob when a drifted preset is selected again', () => {
    const presets = withTable();
    const subject = policySubject();
    presets.set(subject, 'read-only');
    setApprovalPolicy(subject, 'never');
    const from = subject.journal.events.length;

    presets.set(subject, 'read-only');
    expect(subject.journal.events.slice(from).map(({ type, data }) => [type, data])).toEqual([
      ['permission/preset', { preset: 'read-only' }],
      ['approval/policy', { policy: 'ask', source: 'preset' }],
    ]);
  });

  it('appends nothing for the current preset and for an unknown one, which lists the known ones', () => {
    const presets = withTable();
    const subject = policySubject();
    expect(presets.set(subject, 'workspace-write')).toEqual({});
    expect(presets.set(subject, 'yolo')).toMatchObject({
      message: 'There is no preset "yolo". Known presets: read-only, workspace-write, danger-full-access.',
    });
    expect(subject.journal.events).toEqual([]);
  });

  it('previews exactly the values that a selection would change', () => {
    const presets = withTable();
    expect(presets.preview(NO_POLICY, 'danger-full-access')).toEqual({ mode: 'danger-full-access', policy: 'never' });
    expect(presets.preview(NO_POLICY, 'read-only')).toEqual({ mode: 'read-only' });
    expect(presets.preview(NO_POLICY, 'workspace-write')).toEqual({});
    expect(presets.preview(NO_POLICY, 'yolo')).toMatchObject({ kind: 'unknown-preset' });
  });

  it('decides by the pair in force when the recorded preset has left the table', () => {
    const table = { entries: [...DEFAULT_PRESETS, preset('mine', 'read-only', 'ask')] };
    const presets = new Presets(() => table.entries);
    const subject = policySubject();
    presets.set(subject, 'mine');
    table.entries = [...DEFAULT_PRESETS];
    expect(presets.current(subject.policyState())).toBe('read-only');
    table.entries = [preset('wide', 'danger-full-access', 'never')];
    expect(presets.current(subject.policyState())).toBe(CUSTOM);
    expect(effective(subject.policyState())).toEqual({ mode: 'read-only', policy: 'ask' });
  });

  it('derives custom for a log without events when the bare defaults match no entry', () => {
    const presets = new Presets(() => DEFAULT_PRESETS, { mode: 'read-only', policy: 'never' });
    expect(presets.current(NO_POLICY)).toBe(CUSTOM);
  });

  it('takes the narrowest entry, asking before not asking, in table order', () => {
    const entries = [
      preset('a', 'workspace-write', 'ask'),
      preset('b', 'read-only', 'never'),
      preset('c', 'read-only', 'ask'),
      preset('d', 'read-only', 'ask'),
    ];
    expect(narrowestPreset(entries)?.name).toBe('c');
    expect(narrowestPreset([])).toBeUndefined();
  });

  it('is idempotent and gives the same state when its log is replayed', () => {
    const table = [
      ...MODES.flatMap((mode) => APPROVAL_POLICIES.map((policy) => preset(`${mode}+${policy}`, mode, policy))),
      preset('twin', 'read-only', 'ask'),
    ];
    const presets = withTable(table);
    const step = fc.oneof(
      fc.record({ kind: fc.constant('preset' as const), name: fc.constantFrom(...table.map((entry) => entry.name)) }),
      fc.record({ kind: fc.constant('mode' as const), mode: fc.constantFrom(...MODES) }),
      fc.record({ kind: fc.constant('policy' as const), policy: fc.constantFrom(...APPROVAL_POLICIES) }),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
        const subject = policySubject();
        let state = NO_POLICY;
        subject.journal.observe((event) => void (state = foldPolicy(state, event)));
        for (const each of steps) {
          if (each.kind === 'mode') setSandboxMode(subject, each.mode);
          else if (each.kind === 'policy') setApprovalPolicy(subject, each.policy);
          else expectSelected(presets, subject, each.name);
          expect(subject.policyState()).toEqual(state);
        }
      }),
    );
  });
});

describe('pinning', () => {
  it('PRE-8: gives a new Session the values of today, and leaves older ones theirs', () => {
    const [older, newer] = [policySubject(), policySubject()];
    pinNew(older, DEFAULT_PRESETS[1] as Preset);
    pinNew(newer, DEFAULT_PRESETS[0] as Preset);

    expect(newer.journal.events.map(({ type, data }) => [type, data])).toEqual([
      ['permission/preset', { preset: 'read-only', source: 'creation' }],
      ['sandbox/mode', { mode: 'read-only', source: 'creation' }],
      ['approval/policy', { policy: 'ask', source: 'creation' }],
    ]);
    expect(effective(older.policyState())).toEqual({ mode: 'workspace-write', policy: 'ask' });
  });

  it('PRE-9: records the effective values of an old Session without permission facts, not the default of today', () => {
    const subject = policySubject();
    pinMissing(subject);
    expect(subject.journal.events.map(({ type, data }) => [type, data])).toEqual([
      ['sandbox/mode', { mode: 'workspace-write', source: 'creation' }],
      ['approval/policy', { policy: 'ask', source: 'creation' }],
    ]);
    const length = subject.journal.events.length;
    pinMissing(subject);
    expect(subject.journal.events).toHaveLength(length);
  });

  it('records only the knob that a resumed log never said', () => {
    const seed: readonly PolicyEvent[] = [{ type: 'sandbox/mode', data: { mode: 'read-only' } }];
    const subject = policySubject(seed);
    pinMissing(subject);
    expect(subject.journal.types()).toEqual(['sandbox/mode', 'approval/policy']);
    expect(effective(subject.policyState())).toEqual({ mode: 'read-only', policy: 'ask' });
  });
});

describe('setters', () => {
  it('append one event each, also for the value in force, and return it', () => {
    const subject = policySubject();
    expect(setSandboxMode(subject, 'workspace-write')).toMatchObject({ seq: 0, data: { mode: 'workspace-write' } });
    expect(setApprovalPolicy(subject, 'never', 'webhook')).toMatchObject({
      seq: 1,
      data: { policy: 'never', source: 'webhook' },
    });
    expect(subject.journal.events[0]?.data).toEqual({ mode: 'workspace-write' });
  });
});

function withTable(table: readonly Preset[] = DEFAULT_PRESETS): Presets {
  return new Presets(() => table);
}

function preset(name: string, sandbox: Preset['sandbox'], approval: Preset['approval']): Preset {
  return { name, sandbox, approval, label: name, description: '' };
}

function expectSelected(presets: Presets, subject: ReturnType<typeof policySubject>, name: string): void {
  expect(isUnknown(presets.set(subject, name))).toBe(false);
  const length = subject.journal.events.length;
  expect(presets.set(subject, name)).toEqual({});
  expect(subject.journal.events).toHaveLength(length);
  expect(presets.current(subject.policyState())).toBe(name);
}
