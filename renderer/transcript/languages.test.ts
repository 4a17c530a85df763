import { describe, expect, it } from 'vitest';
import { languageNamed, languageOf } from './languages.ts';

describe('the language of a code', () => {
  it.each([
    ['ts', 'typescript'],
    ['JSON', 'json'],
    ['bash', 'shellscript'],
    ['cobol', undefined],
    ['constructor', undefined],
  ])('named %s is %s', (name, language) => {
    expect(languageNamed(name)).toBe(language);
  });

  it('is read off the ending of a file', () => {
    expect(languageOf('src/a.test.ts')).toBe('typescript');
    expect(languageOf('Makefile')).toBeUndefined();
  });
});
