import { describe, expect, it } from 'vitest';
import { escaped, printed } from './terminal.ts';

describe('what a command printed', () => {
  it('loses its colours, cursor moves, titles and links', () => {
    expect(printed('\u001B[1;31mred\u001B[0m \u001B[2K\u001B]0;title\u0007text')).toBe('red text');
    expect(printed('\u001B]8;;https://example.org\u001B\\link\u001B]8;;\u001B\\ \u001BPsecret\u001B\\end')).toBe(
      'link end',
    );
    expect(printed('\u009B31mred\u001B(B')).toBe('red');
  });

  it('shows a line as it was drawn last', () => {
    expect(printed('10 %\r50 %\r100 %\r\nnext')).toBe('100 %\nnext');
    expect(printed('a\r\nb\r\n')).toBe('a\nb\n');
    expect(printed('ab\bc')).toBe('ac');
  });

  it('keeps tabs, line feeds and every letter', () => {
    expect(printed('a\tb\nç 中文 😀')).toBe('a\tb\nç 中文 😀');
  });

  it('keeps no escape that a sequence was cut out of', () => {
    expect(printed('\u001B[\u001B[31m31m')).not.toContain('\u001B');
    expect(printed('open \u001B]8;;x')).toBe('open ');
  });
});

describe('characters that are not seen', () => {
  it.each([
    ['\u202E', '⟨U+202E⟩'],
    ['\u2066', '⟨U+2066⟩'],
    ['\u200B', '⟨U+200B⟩'],
    ['\u0007', '⟨U+0007⟩'],
    ['\u2028', '⟨U+2028⟩'],
    ['\u{E0041}', '⟨U+E0041⟩'],
    ['\u00AD', '⟨U+00AD⟩'],
  ])('are drawn: %j', (character, drawn) => {
    expect(escaped(`a${character}b`)).toBe(`a${drawn}b`);
  });

  it('are drawn behind a picture too, but for those that belong to it', () => {
    expect(escaped('❤\uFE0F 👩\u200D💻')).toBe('❤\uFE0F 👩\u200D💻');
    expect(escaped('💻\u202Eabc')).toBe('💻⟨U+202E⟩abc');
    expect(escaped('a\uFE0F')).toBe('a⟨U+FE0F⟩');
  });
});
