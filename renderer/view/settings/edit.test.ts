import { describe, expect, it } from 'vitest';
import { changesOf, isUntouched, valueAt, type Edit } from './edit.ts';

const settings = {
  window: { theme: 'dark' },
  presets: { p1: { sandbox: 'read-only', label: 'One' }, p2: { sandbox: 'workspace-write', label: 'Two' } },
};
const rename: Edit = { at: ['presets', 'p1'], to: { label: 'Uno' }, seen: { label: 'One', sandbox: 'read-only' } };

describe('an edit of the settings', () => {
  it('names nothing but what it changes', () => {
    expect(changesOf(rename)).toEqual({ presets: { p1: { label: 'Uno' } } });
    expect(changesOf({ at: ['window', 'shortcuts', 'stop'], to: null, seen: 'Mod+J' })).toEqual({
      window: { shortcuts: { stop: null } },
    });
  });

  it('is untouched while another preset changes, and whatever the order of the keys', () => {
    expect(isUntouched(rename, { ...settings, presets: { ...settings.presets, p2: { label: 'Other' } } })).toBe(true);
  });

  it('is touched when anything of the same preset changes, also what the edit leaves alone', () => {
    const wider = { p1: { sandbox: 'danger-full-access', label: 'One' } };
    expect(isUntouched(rename, { presets: wider })).toBe(false);
    expect(isUntouched(rename, { presets: { p1: { label: 'One' } } })).toBe(false);
    expect(isUntouched(rename, { presets: {} })).toBe(false);
    expect(isUntouched({ ...rename, seen: undefined }, settings)).toBe(false);
  });

  it('compares lists item by item', () => {
    const edit: Edit = { at: ['a'], to: [], seen: [1, { b: 2 }] };
    expect(isUntouched(edit, { a: [1, { b: 2 }] })).toBe(true);
    expect(isUntouched(edit, { a: [1, { b: 3 }] })).toBe(false);
    expect(isUntouched(edit, { a: { 0: 1, 1: { b: 2 } } })).toBe(false);
  });

  it('finds nothing where there is nothing', () => {
    expect(valueAt(settings, ['window', 'theme'])).toBe('dark');
    expect(valueAt(settings, ['window', 'theme', 'deeper'])).toBeUndefined();
    expect(valueAt(settings, ['toString'])).toBeUndefined();
  });
});
