import { expect, it } from 'vitest';
import { textsOf } from './text.ts';

it('the system decides the language unless the person did', () => {
  expect(['zh-CN', 'zh', 'en-US', 'de', ''].map((locale) => textsOf('system', locale).language)).toEqual([
    'zh-Hans',
    'zh-Hans',
    'en',
    'en',
    'en',
  ]);
  expect(textsOf('en', 'zh-CN').language).toBe('en');
  expect(textsOf('zh', 'en').language).toBe('zh-Hans');
});

it('no text is empty, and what depends on something says it, in both languages', () => {
  for (const texts of [textsOf('en', ''), textsOf('zh', '')]) {
    const words = (part: object): string[] =>
      Object.values(part).flatMap((each: unknown) => {
        if (typeof each === 'object' && each !== null) return words(each);
        const text = String(typeof each === 'function' ? each('MARK') : each);
        return typeof each === 'function' && !text.includes('MARK') ? [''] : [text];
      });
    expect(words(texts)).not.toContain('');
  }
});
