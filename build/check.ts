import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { tallyJourneys, type JourneyReport } from './journeys.ts';
import { tally, type Report, type Tally } from './tally.ts';

/** The one command that checks everything. Every step runs, so one run tells everything that is wrong. */
const root = dirname(import.meta.dirname);
const gates = ['format:check', 'lint', 'types', 'rooms', 'build'];

// The tools of the repository come first, its own Node among them, also when this file is started without npm.
const env = { ...process.env, PATH: [join(root, 'node_modules', '.bin'), process.env['PATH'] ?? ''].join(delimiter) };

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
  return tally(read<Report>(file), exitCode);
}

function runJourneys(file: string): Tally {
  const exitCode = run('e2e', ['--reporter=line,json'], { PLAYWRIGHT_JSON_OUTPUT_FILE: file });
  return tallyJourneys(read<JourneyReport>(file), exitCode);
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
  const { passed, failed } = check(folder);
  process.exitCode = failed === 0 ? 0 : 1;
  console.log(`\n${passed} passed, ${failed} failed`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
