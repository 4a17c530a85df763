import { describe, expect, it } from 'vitest';
import { hasUnseen, hasUnseenInLines, visibleLine, visiblePieces, visibleText } from './visible.ts';

const ALL = Array.from({ length: 0x110000 }, (_, code) => String.fromCodePoint(code));

function unseenOnes(): readonly string[] {
  return ALL.filter((character) => hasUnseen(character));
}

describe('visibleText', () => {
  it.each([
    ['control', /^\p{Cc}$/u],
    ['format', /^\p{Cf}$/u],
    ['lone surrogate', /^\p{Cs}$/u],
    ['line separator', /^\p{Zl}$/u],
    ['paragraph separator', /^\p{Zp}$/u],
    ['bidirectional', /^\p{Bidi_Control}$/u],
    ['default ignorable', /^\p{Default_Ignorable_Code_Point}$/u],
    ['tag', /^[\u{E0000}-\u{E007F}]$/u],
    ['unusual space', /^(?! )\p{Zs}$/u],
    ['noncharacter', /^\p{Noncharacter_Code_Point}$/u],
    ['blank though it is a symbol', /^[\u2800\u{1d159}\ufffc]$/u],
  ])('draws every %s character of Unicode as an escape of its number', (_, pattern) => {
    const found = ALL.filter((character) => pattern.test(character));
    expect(found).not.toHaveLength(0);
    for (const character of found) {
      const hex = character.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0');
      expect(visibleText(`a${character}b`)).toBe(`a⟨U+${hex}⟩b`);
    }
  });

  it('leaves no character of those kinds, whatever it is given', () => {
    expect(visibleText(ALL.join(''))).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u);
  });

  it('leaves letters, digits, signs and the ordinary space of every script as they are', () => {
    const text = 'rm -rf "~/Bücher" 東京 שלום مرحبا हिन्दी ไทย 🎉 ⟨U+202E⟩';
    expect(visibleText(text)).toBe(text);
    expect(hasUnseen(text)).toBe(false);
  });

  it('draws line breaks and tabs of a text that has no lines', () => {
    expect(visibleText('a\n\tb\r')).toBe('a⟨U+000A⟩⟨U+0009⟩b⟨U+000D⟩');
  });

  it('draws a lone surrogate next to a whole pair', () => {
    expect(visibleText('\ud83c🎉\udf89')).toBe('⟨U+D83C⟩🎉⟨U+DF89⟩');
  });
});

describe('the pieces', () => {
  it('tell an escape from the same letters written out', () => {
    expect(visiblePieces('⟨U+200B⟩\u200b')).toEqual([
      { kind: 'text', text: '⟨U+200B⟩' },
      { kind: 'escape', text: '⟨U+200B⟩' },
    ]);
  });

  it('give the text again when the escapes are read back', () => {
    const text = `a\u202eb${unseenOnes().join('x')}\u{1F389}`;
    const again = visiblePieces(text)
      .map((piece) => (piece.kind === 'text' ? piece.text : characterOf(piece.text)))
      .join('');
    expect(again).toBe(text);
  });

  it('keep a tab within a line of code, and draw everything else', () => {
    expect(visibleLine('\tgo\u00a0\r').map(({ text }) => text)).toEqual(['\tgo', '⟨U+00A0⟩', '⟨U+000D⟩']);
  });

  it('of an empty text are none', () => {
    expect(visiblePieces('')).toEqual([]);
  });
});

describe('the warning', () => {
  it('is not due to the tabs and line breaks of code', () => {
    expect(hasUnseenInLines('if x:\n\ty()\n')).toBe(false);
    expect(hasUnseen('if x:\n\ty()\n')).toBe(true);
  });

  it('is due to one such character on any line', () => {
    expect(hasUnseenInLines(`${'safe\n'.repeat(10_000)}rm\u200b -rf`)).toBe(true);
  });
});

function characterOf(escape: string): string {
  return String.fromCodePoint(Number.parseInt(escape.slice('⟨U+'.length, -1), 16));
}
