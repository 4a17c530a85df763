import { describe, expect, it } from 'vitest';
import { keysOf, parseKeys, sameKeys, showKeys, writeKeys } from './keys.ts';

const pressed = { key: '', code: '', ctrlKey: false, metaKey: false, shiftKey: false, altKey: false };

describe('keys', () => {
  it.each(['Mod+K', 'Mod+Shift+A', 'Alt+N', 'F6', 'Mod+.'])('reads %s and writes it the same', (text) => {
    const keys = parseKeys(text);
    expect(keys && writeKeys(keys)).toBe(text);
  });

  it.each(['K', '7', 'Shift+K', 'Enter', '', 'Mod+', 'Hyper+K', ' '])(
    'refuses %j, which would fire while a person types',
    (text) => {
      expect(parseKeys(text)).toBeUndefined();
    },
  );

  it('takes Control for Mod, and Command on a Mac', () => {
    const control = { ...pressed, key: 'k', ctrlKey: true };
    const command = { ...pressed, key: 'k', metaKey: true };
    expect(keysOf(control, false)).toEqual(parseKeys('Mod+K'));
    expect(keysOf(command, true)).toEqual(parseKeys('Mod+K'));
    expect(keysOf(control, true).mod).toBe(false);
  });

  it('reads a letter off its place while Option changes the character', () => {
    expect(keysOf({ ...pressed, key: 'å', code: 'KeyA', altKey: true }, true).key).toBe('A');
  });

  it('tells keys with another modifier apart', () => {
    const plain = keysOf({ ...pressed, key: 'a', ctrlKey: true }, false);
    expect(sameKeys(plain, keysOf({ ...pressed, key: 'A', ctrlKey: true, shiftKey: true }, false))).toBe(false);
    expect(sameKeys(plain, keysOf({ ...pressed, key: 'A', ctrlKey: true }, false))).toBe(true);
  });

  it('shows them as the keyboard does', () => {
    expect(showKeys('Mod+Shift+A', false)).toBe('Ctrl Shift A');
    expect(showKeys('Mod+Shift+A', true)).toBe('⌘⇧A');
  });
});
