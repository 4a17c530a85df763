import { createTwoFilesPatch } from 'diff';

/** Longer than this no difference is looked for: the search would hold up everything else. */
const TIMEOUT_MS = 250;

/** Unified diff. Texts too different to compare in time are shown whole, one after the other: nothing is left out. */
export function unifiedDiff(path: string, before: string, after: string): string {
  if (before === after) return '';
  const patch = createTwoFilesPatch(path, path, before, after, undefined, undefined, {
    context: 3,
    timeout: TIMEOUT_MS,
    headerOptions: { includeIndex: false, includeUnderline: false, includeFileHeaders: true },
  });
  return patch ?? replaced(path, before, after);
}

function replaced(path: string, before: string, after: string): string {
  const [old, fresh] = [linesOf(before), linesOf(after)];
  const head = [`--- ${path}`, `+++ ${path}`, `@@ -1,${old.length} +1,${fresh.length} @@`];
  return `${[...head, ...old.map((line) => `-${line}`), ...fresh.map((line) => `+${line}`)].join('\n')}\n`;
}

function linesOf(text: string): readonly string[] {
  const lines = text.split('\n');
  return lines.at(-1) === '' ? lines.slice(0, -1) : lines;
}
