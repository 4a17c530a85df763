import { describe, expect, it } from 'vitest';
import { parseKeys, type Keys } from '../shortcuts/keys.ts';
import { clashOf, judgeKeys, type KeyTable } from './judgeKeys.ts';

const table: KeyTable = [
  ['palette', 'Mod+K'],
  ['stop', 'Mod+.'],
  ['approvals', ''],
  ['welcome', ''],
];

function keys(text: string): Keys {
  const parsed = parseKeys(text);
  if (!parsed) throw new Error(`${text} are no keys`);
  return parsed;
}

describe('keys for a command', () => {
  it.each(['Mod+J', 'Mod+Shift+K', 'Alt+K', 'F7', 'Mod+.'])('%s are free for stop', (text) => {
    expect(judgeKeys('stop', keys(text), table)).toEqual({ kind: 'free' });
  });

  it('are unusable where they would fire while a person types', () => {
    for (const key of ['K', '7', ' ', 'Enter', '+'])
      expect(judgeKeys('stop', { mod: false, shift: true, alt: false, key }, table)).toEqual({ kind: 'unusable' });
    expect(judgeKeys('stop', { mod: true, shift: false, alt: false, key: '+' }, table)).toEqual({ kind: 'unusable' });
  });

  it.each(['Mod+C', 'Mod+W', 'Mod+Enter', 'Alt+ArrowLeft', 'Mod+Shift+N', 'F12'])('%s stay with the system', (text) => {
    expect(judgeKeys('stop', keys(text), table)).toEqual({ kind: 'reserved' });
  });

  it.each(['Alt+A', 'Alt+D', 'Alt+N'])('%s answer an approval and nothing else', (text) => {
    expect(judgeKeys('stop', keys(text), table)).toEqual({ kind: 'reserved' });
  });

  it('belong to one command only, and it is named', () => {
    expect(judgeKeys('stop', keys('Mod+K'), table)).toEqual({ kind: 'taken', by: 'palette' });
    expect(judgeKeys('palette', keys('Mod+K'), table)).toEqual({ kind: 'free' });
  });

  it('that two commands have by hand are the first one’s', () => {
    const twice: KeyTable = [...table, ['settings', 'Mod+K']];
    expect(clashOf('settings', twice)).toBe('palette');
    expect(clashOf('palette', twice)).toBeUndefined();
    expect(clashOf('welcome', twice)).toBeUndefined();
  });
});
