import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { failedJourneys, tallyJourneys, type JourneyReport } from './journeys.ts';

// Playwright itself says what its report looks like: none of these specs needs a browser.
const root = dirname(import.meta.dirname);
const projects = (...names: readonly string[]): string =>
  `import { defineConfig } from '@playwright/test';
export default defineConfig({ retries: 1, workers: 1, projects: ${JSON.stringify(names.map((name) => ({ name })))} });\n`;
const spec = (body: string): string => `import { expect, test } from '@playwright/test';\n${body}\n`;
const passing = spec(`test('a', () => expect(1).toBe(1));`);

function run(files: Readonly<Record<string, string>>) {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-journeys-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const report = join(folder, 'report.json');
  for (const [name, text] of Object.entries({ 'package.json': '{"type":"module"}', ...files })) {
    writeFileSync(join(folder, name), text);
  }
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  const { status } = spawnSync(
    process.execPath,
    [join(root, 'node_modules/@playwright/test/cli.js'), 'test', '--reporter=json'],
    {
      cwd: folder,
      env: { ...process.env, PLAYWRIGHT_JSON_OUTPUT_FILE: report },
    },
  );
  const journeys = JSON.parse(readFileSync(report, 'utf8')) as JourneyReport;
  return { ...tallyJourneys(journeys, status ?? 1), told: failedJourneys(journeys) };
}

it.each<readonly [what: string, files: Readonly<Record<string, string>>, passed: number, failed: number]>([
  [
    'counts a journey once for each project',
    { 'a.spec.ts': passing, 'playwright.config.ts': projects('a', 'b') },
    2,
    0,
  ],
  [
    'counts only what passed at once',
    {
      'playwright.config.ts': projects('a'),
      'a.spec.ts': spec(`test('passes', () => expect(1).toBe(1));
test.describe('a group', () => test('passes', () => expect(1).toBe(1)));
test('fails', () => expect(1).toBe(2));
test('passes later', ({}, { retry }) => expect(retry).toBe(1));
test.skip('is skipped', () => {});
test.fixme('is to be mended', () => {});
test.fail('is expected to fail', () => expect(1).toBe(2));`),
    },
    2,
    5,
  ],
  [
    'counts a project without tests as failed',
    {
      'playwright.config.ts': projects('a').replace('"a"}', '"a"},{"name":"b","testMatch":"none.spec.ts"}'),
      'a.spec.ts': passing,
    },
    1,
    1,
  ],
  [
    'counts a file that does not load as failed',
    { 'playwright.config.ts': projects('a'), 'a.spec.ts': passing, 'b.spec.ts': `throw new Error('broken');\n` },
    0,
    2,
  ],
  [
    'counts a test whose process ended as failed',
    { 'playwright.config.ts': projects('a'), 'a.spec.ts': spec(`test('ends', () => process.exit(0));`) },
    0,
    1,
  ],
])('%s', { timeout: 60_000 }, (_what, files, passed, failed) => {
  expect(run(files)).toMatchObject({ passed, failed });
});

it('names the journeys that failed and their project, with the beginning of why', { timeout: 60_000 }, () => {
  const one = spec(`test.describe('a group', () => test('adds up', () => expect(1).toBe(2)));`);
  const { told } = run({ 'playwright.config.ts': projects('a'), 'a.spec.ts': one });
  expect(told).toEqual([expect.stringMatching(/^a\.spec\.ts › adds up \(a\)\n.*toBe/)]);
});

it('takes a run without a report for a failure', () => {
  expect(tallyJourneys(undefined, 0)).toEqual({ passed: 0, failed: 1 });
});

it('takes a run that ended badly for a failure although every test passed', () => {
  const tests = [{ projectName: 'a', expectedStatus: 'passed', results: [{ status: 'passed' }] }];
  const report = {
    config: { projects: [{ name: 'a' }] },
    suites: [{ specs: [{ title: 'a', file: 'a.spec.ts', tests }] }],
    errors: [],
  };
  expect(tallyJourneys(report, 0)).toEqual({ passed: 1, failed: 0 });
  expect(tallyJourneys(report, 1)).toEqual({ passed: 1, failed: 1 });
});

it('takes an error outside the tests for a failure', () => {
  const report = { config: { projects: [{ name: 'a' }] }, suites: [], errors: [{ message: 'the set-up broke' }] };
  expect(tallyJourneys(report, 1)).toEqual({ passed: 0, failed: 2 });
  expect(failedJourneys(report)).toEqual(['outside every journey\n    the set-up broke']);
});
