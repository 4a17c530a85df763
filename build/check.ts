import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { failedJourneys, tallyJourneys, type JourneyReport } from './journeys.ts';
import { failures, tally, type Report, type Tally } from './tally.ts';

/** The one command that checks everything. Every step runs, so one run tells everything that is wrong. */
const root = dirname(import.meta.dirname);
const gates = ['format:check', 'lint', 'types', 'rooms', 'build'];

// The tools of the repository come first, its own Node among them, also when this file is started without npm.
const env = { ...process.env, PATH: [join(root, 'node_modules', '.bin'), process.env['PATH'] ?? ''].join(delimiter) };

const failed: string[] = [];

function run(script: string, args: readonly string[] = [], more: NodeJS.ProcessEnv = {}): number {
  console.log(`\n── ${script}`);
  const options = { cwd: root, env: { ...env, ...more }, stdio: 'inherit' } as const;
  const { status } = spawnSync('npm', ['run', '--silent', script, '--', ...args], options);
  return status ?? 1;
}

function check(folder: string): Tally {
  if (run('prepare:machine') !== 0) return { passed: 0, failed: 1 };
  const failedGates = gates.filter((gate) => run(gate) !== 0);
  const unit = runUnit(join(folder, 'unit.json'));
  // Without a build of these sources there is nothing that the journeys could be told of.
  const journeys = failedGates.includes('build') ? { passed: 0, failed: 1 } : runJourneys(join(folder, 'e2e.json'));
  if (failedGates.length > 0) console.log(`\nFailed gates: ${failedGates.join(', ')}`);
  return {
    passed: gates.length - failedGates.length + unit.passed + journeys.passed,
    failed: failedGates.length + unit.failed + journeys.failed,
  };
}

function runUnit(file: string): Tally {
  const exitCode = run('unit', ['--reporter=default', '--reporter=json', `--outputFile.json=${file}`]);
  const report = read<Report>(file);
  failed.push(...failures(report));
  return tally(report, exitCode);
}

function runJourneys(file: string): Tally {
  const exitCode = run('e2e', ['--reporter=line,json'], { PLAYWRIGHT_JSON_OUTPUT_FILE: file });
  const report = read<JourneyReport>(file);
  failed.push(...failedJourneys(report));
  return tallyJourneys(report, exitCode);
}

function read<T>(file: string): T | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as T; // the runner wrote it a moment ago
  } catch {
    return undefined; // it ended before it could report
  }
}

const folder = mkdtempSync(join(tmpdir(), 'gatehouse-check-'));
try {
  const result = check(folder);
  process.exitCode = result.failed === 0 ? 0 : 1;
  for (const text of failed) console.log(`\nFailed: ${text}`);
  console.log(`\n${result.passed} passed, ${result.failed} failed`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
