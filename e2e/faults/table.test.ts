import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { browserFaults } from './browserFaults.ts';
import { electronFaults } from './electronFaults.ts';
import { windowFaults } from './windowFaults.ts';

const ROOT = dirname(dirname(import.meta.dirname));
const FAULTS = [...electronFaults, ...browserFaults, ...windowFaults];

it.each(FAULTS)('$name: can be planted as the sources are now', ({ edits }) => {
  for (const { file, from, to } of edits) {
    expect(readFileSync(join(ROOT, file), 'utf8')).toContain(from);
    expect(to).not.toBe(from);
  }
});

it.each(FAULTS)('$name: is watched by tests that are there', ({ watchers }) => {
  const file = join(ROOT, watchers.kind === 'journey' ? 'e2e' : '', watchers.file);
  expect(existsSync(file)).toBe(true);
  const titles = watchers.kind === 'journey' ? watchers.titles.split('|') : [];
  const text = readFileSync(file, 'utf8');
  for (const title of titles) expect(text).toMatch(new RegExp(title));
});
