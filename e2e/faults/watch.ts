import { spawn } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { once } from 'node:events';
import { signal as send, treeOf } from '../fixtures/processes.ts';
import type { Watchers } from './fault.ts';

/** What a run of some tests came to. */
export type Verdict =
  | { readonly kind: 'green'; readonly tests: number }
  | { readonly kind: 'red'; readonly by: string }
  /** Nothing ran, so nothing is known. */
  | { readonly kind: 'empty'; readonly said: string };

const BUILD_MS = 300_000;
const TESTS_MS = 600_000;
/** A broken window is noticed at the first thing that does not come, and not only when patience ends. */
const TEST_MS = 45_000;
const WINDOW_MS = 10_000;

/** Undefined: it was built. Otherwise what the build said. */
export async function build(root: string, signal: AbortSignal): Promise<string | undefined> {
  const { code, said } = await run({ root, command: ['node', 'build/bundle.ts'], ms: BUILD_MS }, signal);
  return code === 0 ? undefined : said;
}

export function watch(root: string, watchers: Watchers, signal: AbortSignal): Promise<Verdict> {
  return watchers.kind === 'unit' ? watchUnit(root, watchers, signal) : watchJourney(root, watchers, signal);
}

type Unit = Extract<Watchers, { kind: 'unit' }>;
type Journey = Extract<Watchers, { kind: 'journey' }>;

async function watchUnit(root: string, { file }: Unit, signal: AbortSignal): Promise<Verdict> {
  const report = join(root, 'out', 'unit.json');
  rmSync(report, { force: true });
  const options = ['--config', 'build/vitest.config.ts', '--reporter=json', `--outputFile=${report}`];
  const { said } = await run({ root, command: ['vitest', 'run', ...options, file], ms: TESTS_MS }, signal);
  const found = read<UnitReport>(report);
  if (!found || found.numTotalTests === 0) return { kind: 'empty', said };
  const results = found.testResults.flatMap(({ assertionResults }) => assertionResults);
  const failed = results.find(({ status }) => status === 'failed');
  return failed ? { kind: 'red', by: failed.fullName } : { kind: 'green', tests: found.numPassedTests };
}

async function watchJourney(root: string, { file, titles, project }: Journey, signal: AbortSignal): Promise<Verdict> {
  const report = join(root, 'out', 'journey.json');
  rmSync(report, { force: true });
  const options = ['-c', 'e2e/playwright.config.ts', `--project=${project}`, '--reporter=json', '-g', titles, file];
  const limits = ['--max-failures=1', `--timeout=${TEST_MS}`];
  const command = ['playwright', 'test', ...options, ...limits];
  const variables = { PLAYWRIGHT_JSON_OUTPUT_NAME: report, E2E_WINDOW_MS: String(WINDOW_MS) };
  const { said } = await run({ root, command, ms: TESTS_MS, variables }, signal);
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

interface Run {
  readonly root: string;
  readonly command: readonly string[];
  readonly ms: number;
  readonly variables?: Readonly<Record<string, string>>;
}

interface Ended {
  readonly code: number | null;
  readonly said: string;
}

/** In a group of its own, ended as a whole when it takes too long or is not wanted any more. */
async function run({ root, command, ms, variables }: Run, signal: AbortSignal): Promise<Ended> {
  signal.throwIfAborted();
  const path = `${join(root, 'node_modules', '.bin')}:${process.env['PATH'] ?? ''}`;
  const env = { ...process.env, ...variables, PATH: path, FORCE_COLOR: '0', NO_COLOR: '1' };
  const [program = '', ...args] = command;
  const child = spawn(program, args, { cwd: root, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
  const { pid } = child;
  // What the tests start leads groups of its own.
  const end = (): void => (pid === undefined ? [] : treeOf(pid)).forEach((each) => send(each, 'SIGKILL'));
  const tooLong = AbortSignal.any([signal, AbortSignal.timeout(ms)]);
  tooLong.addEventListener('abort', end);
  let said = '';
  const hear = (part: Buffer): void => void (said += part.toString());
  child.stdout.on('data', hear);
  child.stderr.on('data', hear);
  const [code] = await once(child, 'exit');
  tooLong.removeEventListener('abort', end);
  signal.throwIfAborted();
  return { code: Number.isInteger(code) ? Number(code) : null, said };
}
