import { expect, it } from 'vitest';
import { unifiedDiff } from './diff.ts';

it('says nothing of equal texts', () => {
  expect(unifiedDiff('f', 'a\n', 'a\n')).toBe('');
});

it('shows the lines that differ', () => {
  const diff = unifiedDiff('/ws/f', 'a\nb\nc\n', 'a\nB\nc\n');
  expect(diff.split('\n').slice(0, 6)).toEqual(['--- /ws/f', '+++ /ws/f', '@@ -1,3 +1,3 @@', ' a', '-b', '+B']);
});

it('shows both texts whole when they are too different to compare in time', () => {
  const text = (seed: number) => Array.from({ length: 60_000 }, (_, i) => `${(i * 7919 + seed) % 65537}`).join('\n');
  const [before, after] = [text(1), text(40_000).split('\n').toReversed().join('\n')];
  const started = performance.now();
  const diff = unifiedDiff('f', before, after);
  expect(performance.now() - started).toBeLessThan(5_000);
  const lines = new Set(diff.split('\n'));
  expect(before.split('\n').every((line) => lines.has(`-${line}`) || lines.has(` ${line}`))).toBe(true);
  expect(after.split('\n').every((line) => lines.has(`+${line}`) || lines.has(` ${line}`))).toBe(true);
});
