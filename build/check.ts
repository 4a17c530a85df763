import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { tally, type Report, type Tally } from './tally.ts';

/** The one command that checks everything. Every step runs, so one run tells everything that is wrong. */
const root = dirname(import.meta.dirname);
const gates = ['format:check', 'lint', 'types', 'rooms'];

// The tools of the repository come first, its own Node among them, also when this file is started without npm.
const env = { ...process.env, PATH: [join(root, 'node_modules', '.bin'), process.env['PATH'] ?? ''].join(delimiter) };

function run(script: string, ...args: string[]): number {
  console.log(`\n── ${script}`);
  const { status } = spawnSync('npm', ['run', '--silent', script, '--', ...args], { cwd: root, env, stdio: 'inherit' });
  return status ?? 1;
}

function check(): Tally {
  if (run('prepare:machine') !== 0) return { passed: 0, failed: 1 };
  const failedGates = gates.filter((gate) => run(gate) !== 0);
  const tests = test();
  if (failedGates.length > 0) console.log(`\nFailed gates: ${failedGates.join(', ')}`);
  return {
    passed: gates.length - failedGates.length + tests.passed,
    failed: failedGates.length + tests.failed,
  };
}

function test(): Tally {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-check-'));
  try {
    const file = join(folder, 'report.json');
    const exitCode = run('unit', '--reporter=default', '--reporter=json', `--outputFile.json=${file}`);
    return tally(read(file), exitCode);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function read(file: string): Report | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Report; // vitest wrote it a moment ago
  } catch {
    return undefined; // vitest ended before it could report
  }
}

const { passed, failed } = check();
process.exitCode = failed === 0 ? 0 : 1;
console.log(`\n${passed} passed, ${failed} failed`);
