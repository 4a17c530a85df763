import { describe, expect, it } from 'vitest';
import { exactOf, type Row } from './exactRows.ts';

function shown(row: Row): string {
  return row.kind === 'blank' ? `${row.from}-${row.to} blank` : `${row.line}.${row.part} ${row.text}`;
}

describe('exactOf', () => {
  it('numbers the lines from 1, and a final line break begins none', () => {
    expect(exactOf('a\nb\n', 'code')).toMatchObject({ lines: 2, characters: 4 });
    expect(exactOf('a\nb\n', 'code').rows.map(shown)).toEqual(['1.0 a', '2.0 b']);
  });

  it('says an empty text as one empty line', () => {
    expect(exactOf('', 'code')).toMatchObject({ lines: 1, characters: 0 });
  });

  it('keeps three blank lines and counts four or more in one row, with what follows right after', () => {
    expect(exactOf('a\n\n \n\t\nb', 'code').rows.map(shown)).toEqual(['1.0 a', '2.0 ', '3.0  ', '4.0 \t', '5.0 b']);
    const hidden = exactOf(`safe${'\n'.repeat(201)}rm -rf ~`, 'code');
    expect(hidden.rows.map(shown)).toEqual(['1.0 safe', '2-201 blank', '202.0 rm -rf ~']);
    expect(hidden.lines).toBe(202);
  });

  it('counts lines of spaces and tabs as blank, however they alternate', () => {
    const spaces = exactOf(`a\n${' \n\n\t\n'.repeat(50)}b`, 'code');
    expect(spaces.rows.map(shown)).toEqual(['1.0 a', '2-151 blank', '152.0 b']);
  });

  it('counts blank lines of a diff together and says how they begin', () => {
    const { rows } = exactOf(`+${'\n+\n-'.repeat(20)}\n+rm`, 'diff');
    expect(rows.map(shown)).toEqual(['1-41 blank', '42.0 +rm']);
    expect(rows[0]).toMatchObject({ signs: ['+', '-'] });
  });

  it('leaves out nothing of a long line and cuts no pair in two', () => {
    const line = `${'x'.repeat(399)}🎉${'y'.repeat(900)}`;
    const { rows } = exactOf(line, 'code');
    const texts = rows.map((row) => (row.kind === 'line' ? row.text : ''));
    expect(texts.join('')).toBe(line);
    expect(texts.every((text) => text.isWellFormed() && text.length <= 400)).toBe(true);
    expect(rows.every((row) => row.kind === 'line' && row.parts === rows.length)).toBe(true);
  });

  it('counts characters, not units', () => {
    expect(exactOf('a🎉\ud800', 'code').characters).toBe(3);
  });

  it('says how a line begins in each of its parts', () => {
    const { rows } = exactOf(`+${'x'.repeat(500)}`, 'diff');
    expect(rows.map((row) => (row.kind === 'line' ? row.sign : ''))).toEqual(['+', '+']);
  });
});
