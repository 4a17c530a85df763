import { describe, expect, it } from 'vitest';
import { matcherFault } from './matcher.ts';

describe('a matcher', () => {
  it.each([
    '',
    '*',
    '.*',
    'Write|Edit|MultiEdit|NotebookEdit|write|edit'.repeat(9),
    '^(Read|Grep)$',
    'mcp__.*__(read|write)_.*',
    'Notebook.*|Web.*',
    String.raw`\(\)+x[)*+?({]{2}`,
    '(?:a|b)c',
    '(?!Bash).+',
  ])('may be %j', (text) => {
    expect(matcherFault(text)).toBeUndefined();
  });

  it.each([
    ['(((((\\w+)+)+)+)+)+!', 'must not repeat a group'],
    ['(\\w|\\w)?x', 'must not repeat a group'],
    ['(a)*', 'must not repeat a group'],
    ['(a){9}', 'must not repeat a group'],
    ['\\w*\\w*\\w*\\w*\\w*!', 'must have fewer'],
    [`${'(|||||||||)'.repeat(6)}!`, 'must have fewer'],
    ['(|||||||||)(|||||||||)\\w*\\w*\\w*!', 'must have fewer'],
    ['(', 'must be a regular expression'],
    [`^${'a'.repeat(200)}`, 'must not be longer than 200'],
  ])('may not be %j', (text, why) => {
    expect(matcherFault(text)).toContain(why);
  });
});
