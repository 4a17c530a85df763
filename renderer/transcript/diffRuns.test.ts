import { describe, expect, it } from 'vitest';
import { runsOf } from './diffRuns.ts';

describe('the lines of a diff', () => {
  it('are told apart, neighbours together', () => {
    const diff = '--- a\n+++ a\n@@ -1,3 +1,3 @@\n same\n-old\n-old too\n+new\n same\n';
    expect(runsOf(diff).map(({ kind, text }) => [kind, text.split('\n').length])).toEqual([
      ['head', 2],
      ['place', 1],
      ['same', 1],
      ['del', 2],
      ['add', 1],
      ['same', 1],
    ]);
  });

  it('name a file only above the first change', () => {
    expect(runsOf('--- a\n+++ a\n@@ -1 +1 @@\n--- x\n+++ y').map(({ kind }) => kind)).toEqual([
      'head',
      'place',
      'del',
      'add',
    ]);
  });

  it('that change all the time are one text', () => {
    expect(runsOf('-a\n+b\n'.repeat(2_000))).toHaveLength(1);
  });
});
