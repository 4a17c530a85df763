import { describe, expect, it } from 'vitest';
import { applyEdit } from './applyEdit.ts';
import { keepEndings } from './lineEndings.ts';

const edit = (old: string, replacement: string, replaceAll = false) => ({ old, new: replacement, replaceAll });

describe('applyEdit', () => {
  it('replaces the one match', () => {
    expect(applyEdit('a b c', edit('b', 'x'), 100)).toEqual({ kind: 'edited', text: 'a x c', replacements: 1 });
  });

  it('takes neither side for a pattern', () => {
    expect(applyEdit('a.b $1', edit('.b', '$&$1'), 100)).toMatchObject({ text: 'a$&$1 $1' });
  });

  it('replaces nothing when the text occurs twice, and all with replaceAll', () => {
    expect(applyEdit('a a', edit('a', 'b'), 100)).toEqual({ kind: 'not-unique', places: 2 });
    expect(applyEdit('a a', edit('a', 'b', true), 100)).toEqual({ kind: 'edited', text: 'b b', replacements: 2 });
  });

  it('counts matches that overlap as more than one', () => {
    expect(applyEdit('aaa', edit('aa', 'b'), 100)).toEqual({ kind: 'not-unique', places: 2 });
  });

  it('finds nothing that is not there exactly', () => {
    expect(applyEdit('a  b', edit('a b', 'x'), 100)).toEqual({ kind: 'not-found' });
  });

  it('matches and writes the endings of a file of \\r\\n lines', () => {
    const edited = applyEdit('one\r\ntwo\r\n', edit('one\ntwo', 'x\ny\r\nz'), 100);
    expect(edited).toMatchObject({ text: 'x\r\ny\r\nz\r\n' });
  });

  it('leaves a file of mixed endings as it is', () => {
    expect(applyEdit('a\r\nb\nc', edit('b\nc', 'd\ne'), 100)).toMatchObject({ text: 'a\r\nd\ne' });
  });

  it('refuses a result beyond the limit before making it', () => {
    const edited = applyEdit('a'.repeat(1_000_000), edit('a', 'b'.repeat(1_000_000), true), 10_000_000);
    expect(edited).toEqual({ kind: 'too-large', length: 1_000_000_000_000 });
  });
});

describe('keepEndings', () => {
  it('gives a file of \\r\\n lines back its endings', () => {
    expect(keepEndings('a\nb\n', 'x\r\ny\r\n')).toBe('a\r\nb\r\n');
  });

  it('leaves text alone that brings its own, and files without or with mixed breaks', () => {
    expect(keepEndings('a\r\nb\n', 'x\r\n')).toBe('a\r\nb\n');
    expect(keepEndings('a\nb', 'x')).toBe('a\nb');
    expect(keepEndings('a\nb', 'x\r\ny\nz')).toBe('a\nb');
  });
});
