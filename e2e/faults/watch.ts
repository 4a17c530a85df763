import { spawn } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { once } from 'node:events';
import { signal } from '../fixtures/processes.ts';
import type { Watchers } from './fault.ts';

/** What a run of some tests came to. */
export type Verdict =
  | { readonly kind: 'green'; readonly tests: number }
  | { readonly kind: 'red'; readonly by: string }
  /** Nothing ran, so nothing is known. */
  | { readonly kind: 'empty'; readonly said: string };

const BUILD_MS = 120_000;
const TESTS_MS = 300_000;
/** A broken window is noticed at the first thing that does not come, and not only when patience ends. */
const TEST_MS = 20_000;
const WINDOW_MS = 8_000;

/** Undefined: it was built. Otherwise what the build said. */
export async function build(root: string): Promise<string | undefined> {
  const { code, said } = await run(root, ['node', 'build/bundle.ts'], BUILD_MS);
  return code === 0 ? undefined : said;
}

export function watch(root: string, watchers: Watchers): Promise<Verdict> {
  return watchers.kind === 'unit' ? watchUnit(root, watchers) : watchJourney(root, watchers);
}

async function watchUnit(root: string, { file }: Extract<Watchers, { kind: 'unit' }>): Promise<Verdict> {
  const report = join(root, 'out', 'unit.json');
  rmSync(report, { force: true });
  const command = [
    'vitest',
    'run',
    '--config',
    'build/vitest.config.ts',
    '--reporter=json',
    `--outputFile=${report}`,
    file,
  ];
  const { said } = await run(root, command, TESTS_MS);
  const found = read<UnitReport>(report);
  if (!found || found.numTotalTests === 0) return { kind: 'empty', said };
  const failed = found.testResults
    .flatMap(({ assertionResults }) => assertionResults)
    .find(({ status }) => status === 'failed');
  return failed ? { kind: 'red', by: failed.fullName } : { kind: 'green', tests: found.numPassedTests };
}

async function watchJourney(root: string, watchers: Extract<Watchers, { kind: 'journey' }>): Promise<Verdict> {
  const report = join(root, 'out', 'journey.json');
  rmSync(report, { force: true });
  const { file, titles, project } = watchers;
  const command = ['playwright', 'test', '-c', 'e2e/playwright.config.ts', `--project=${project}`, '--reporter=json'];
  const limits = ['--max-failures=1', `--timeout=${TEST_MS}`, '--workers=2', '-g', titles, file];
  const { said } = await run(root, [...command, ...limits], TESTS_MS, { PLAYWRIGHT_JSON_OUTPUT_NAME: report, E2E_WINDOW_MS: WINDOW_MS });
  const specs = read<JourneyReport>(report)?.suites.flatMap(specsOf) ?? [];
  if (specs.length === 0) return { kind: 'empty', said };
  const failed = specs.find(({ ok }) => !ok);
  return failed ? { kind: 'red', by: failed.title } : { kind: 'green', tests: specs.length };
}

interface UnitReport {
  readonly numTotalTests: number;
  readonly numPassedTests: number;
  readonly testResults: readonly {
    readonly assertionResults: readonly { readonly status: string; readonly fullName: string }[];
  }[];
}

interface Suite {
  readonly suites?: readonly Suite[];
  readonly specs: readonly { readonly title: string; readonly ok: boolean }[];
}
interface JourneyReport {
  readonly suites: readonly Suite[];
}

function specsOf({ specs, suites = [] }: Suite): Suite['specs'] {
  return [...specs, ...suites.flatMap(specsOf)];
}

function read<T>(file: string): T | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as T; // the runner wrote it a moment ago
  } catch {
    return undefined;
  }
}

interface Ended {
  readonly code: number | null;
  readonly said: string;
}

/** In a group of its own, ended as a whole when it takes too long. */
async function run(root: string, command: readonly string[], ms: number, variables: object = {}): Promise<Ended> {
  const bin = join(root, 'node_modules', '.bin');
  const env = {
    ...process.env,
    ...variables,
    PATH: `${bin}:${process.env['PATH'] ?? ''}`,
    FORCE_COLOR: '0',
    NO_COLOR: '1',
  };
  const [program = '', ...args] = command;
  const child = spawn(program, args, { cwd: root, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  const hear = (part: Buffer): void => void (said += part.toString());
  child.stdout.on('data', hear);
  child.stderr.on('data', hear);
  const timer = setTimeout(() => child.pid !== undefined && signal(-child.pid, 'SIGKILL'), ms);
  const [code] = await once(child, 'exit');
  clearTimeout(timer);
  return { code: Number.isInteger(code) ? Number(code) : null, said };
}
