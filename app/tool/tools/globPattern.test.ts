import { describe, expect, it } from 'vitest';
import { parseGlob } from './globPattern.ts';

describe('parseGlob', () => {
  it.each([
    ['*.ts', 'a.ts', true],
    ['*.ts', 'deep/er/a.ts', true],
    ['*.ts', 'a.tsx', false],
    ['/*.ts', 'a.ts', true],
    ['/*.ts', 'b/a.ts', false],
    ['./src/*.ts', 'src/a.ts', true],
    ['src/*.ts', 'src/b/a.ts', false],
    ['src/**/*.ts', 'src/a.ts', true],
    ['src/**/*.ts', 'src/b/c/a.ts', true],
    ['**/test/**', 'a/test/b/c', true],
    ['**/*', 'a', true],
    ['**', 'a/b', true],
    ['a?c', 'abc', true],
    ['a?c', 'aéc', true],
    ['a?c', 'a😀c', true],
    ['a?c', 'a/c', false],
    ['[a-c]x', 'bx', true],
    ['[!a-c]x', 'bx', false],
    ['[]]x', ']x', true],
    ['x\\*', 'x*', true],
    ['x\\*', 'xy', false],
    ['{a,b}.{ts,js}', 'b.js', true],
    ['{a,{b,c}}.ts', 'c.ts', true],
    ['{a,b}.ts', 'c.ts', false],
    ['a{b', 'a{b', true],
    ['a.b', 'axb', false],
  ])('says for %j and %j: %j', (pattern, path, expected) => {
    expect(parseGlob(pattern)?.matches(path)).toBe(expected);
  });

  it('answers for a pattern made to take for ever, before this test is given up', () => {
    const pattern = parseGlob(`${'*a'.repeat(200)}b`);
    const folders = parseGlob(`${'**/a/'.repeat(100)}b`);
    expect(pattern?.matches('a'.repeat(2_000))).toBe(false);
    expect(folders?.matches('a/'.repeat(500) + 'c')).toBe(false);
  });

  it('refuses more alternatives than it can hold', () => {
    expect(parseGlob('{a,b}'.repeat(20))).toBeUndefined();
  });

  it('names only what every glob dialect understands alike', () => {
    expect(parseGlob('src/**/*.{ts,js}')?.names).toEqual(['*.ts', '*.js']);
    expect(parseGlob('src/**')?.names).toBeUndefined();
    expect(parseGlob('[a]x')?.names).toBeUndefined();
  });
});
