import { describe, expect, it } from 'vitest';
import { DEFAULT_PRESETS } from '../../../app/policy/presetTable.ts';
import { MODES } from '../../../app/sandbox/mode.ts';
import type { PresetRow } from '../../store/policy.ts';
import { en } from '../../text/en.ts';
import { zh } from '../../text/zh.ts';
import { asksFirst, changesOf, isDanger, labelOf, modeOfAll, narrowToWide, wordsOf } from './presets.ts';

describe('narrowToWide', () => {
  it('orders by Mode, then asking before never asking, whatever the order of the table', () => {
    const table = [
      preset('danger-full-access', 'never'),
      preset('read-only', 'never'),
      preset('workspace-write', 'ask'),
    ];
    const more = [preset('danger-full-access', 'ask'), preset('read-only', 'ask'), preset('workspace-write', 'never')];
    const ordered = narrowToWide([...table, ...more]).map(({ sandbox, approval }) => [sandbox, approval]);
    expect(ordered).toEqual(
      MODES.flatMap((mode) => [
        [mode, 'ask'],
        [mode, 'never'],
      ]),
    );
  });

  it('keeps two presets of one pair in the order they were declared', () => {
    const table = [preset('read-only', 'ask', 'second'), preset('read-only', 'ask', 'first')];
    expect(narrowToWide(table).map(({ name }) => name)).toEqual(['second', 'first']);
  });
});

describe('asksFirst', () => {
  const full = preset('danger-full-access', 'never', 'harmless');

  it('asks on the way to full access, by its Mode and not by its name', () => {
    expect(isDanger(full)).toBe(true);
    expect(asksFirst(full, { mode: 'workspace-write', policy: 'ask' })).toBe(true);
    expect(asksFirst(preset('workspace-write', 'ask', 'danger-full-access'), undefined)).toBe(false);
  });

  it('asks in a form, where nothing is in force yet', () => {
    expect(asksFirst(full, undefined)).toBe(true);
  });

  it('never asks on the way to less', () => {
    for (const to of MODES) {
      if (to === 'danger-full-access') continue;
      expect(asksFirst(preset(to, 'never'), { mode: 'danger-full-access', policy: 'ask' })).toBe(false);
    }
    const asking = preset('danger-full-access', 'ask');
    expect(asksFirst(asking, { mode: 'danger-full-access', policy: 'never' })).toBe(false);
    expect(asksFirst(full, { mode: 'danger-full-access', policy: 'ask' })).toBe(true);
  });
});

describe('the words of a preset', () => {
  it('are those of the language for a built-in one', () => {
    for (const builtIn of DEFAULT_PRESETS) {
      expect(wordsOf(builtIn, en)).toEqual({ label: builtIn.label, description: builtIn.description });
      expect(wordsOf(builtIn, zh).label).toMatch(/\p{Script=Han}/u);
    }
  });

  it('are those of the file as soon as a person has written others', () => {
    const renamed = { ...preset('read-only', 'ask', 'read-only'), label: 'Look only' };
    expect(wordsOf(renamed, zh).label).toBe('Look only');
    expect(wordsOf({ ...renamed, label: '' }, zh).label).toBe('read-only');
  });

  it('name what is no entry: custom, and one that was taken out of the table', () => {
    expect(labelOf('custom', DEFAULT_PRESETS, en)).toBe('Custom');
    expect(labelOf('gone', DEFAULT_PRESETS, en)).toBe('gone');
  });
});

it('says one sentence for each knob that moves, and that none does', () => {
  const now = { mode: 'workspace-write', policy: 'ask' } as const;
  expect(changesOf({ mode: 'danger-full-access', policy: 'never' }, now, en)).toEqual([
    'Mode: Workspace write → Full access.',
    'Approval policy: Asks → Never asks.',
  ]);
  expect(changesOf({}, now, en)).toEqual(['Mode and Approval policy stay as they are.']);
  expect(changesOf({ mode: 'read-only' }, undefined, en)).toEqual(['Mode: Read only.']);
});

it('names one Mode for all that is stopped, or none', () => {
  const one = { what: 'command', id: 'c', title: 't' } as const;
  expect(
    modeOfAll([
      { ...one, mode: 'read-only' },
      { ...one, mode: 'read-only' },
    ]),
  ).toBe('read-only');
  expect(
    modeOfAll([
      { ...one, mode: 'read-only' },
      { ...one, mode: 'workspace-write' },
    ]),
  ).toBeUndefined();
  expect(modeOfAll([])).toBeUndefined();
});

function preset(sandbox: PresetRow['sandbox'], approval: PresetRow['approval'], name = 'p'): PresetRow {
  return { name, sandbox, approval, label: name, description: '' };
}
