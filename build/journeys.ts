import type { Tally } from './tally.ts';

/** The part of Playwright's JSON report that is counted. */
export interface JourneyReport {
  readonly config: { readonly projects: readonly { readonly name: string }[] };
  readonly suites: readonly JourneySuite[];
  /** What failed outside every test. */
  readonly errors: readonly unknown[];
}

interface JourneySuite {
  readonly suites?: readonly JourneySuite[];
  readonly specs: readonly { readonly tests: readonly JourneyTest[] }[];
}

interface JourneyTest {
  readonly projectName: string;
  readonly expectedStatus: string;
  readonly results: readonly { readonly status?: string }[];
}

/**
 * Only a test that passed at its first try counts as passed: one that is skipped, passed later, or is expected to fail is a
 * failure. So is a project in which nothing ran, an error outside the tests, and a run that ended badly although no test says
 * why.
 */
export function tallyJourneys(report: JourneyReport | undefined, exitCode: number): Tally {
  if (report === undefined || report.config.projects.length === 0) return { passed: 0, failed: 1 };
  const tests = report.suites.flatMap(testsOf);
  const passed = tests.filter(hasPassed).length;
  const idle = report.config.projects.filter(({ name }) => tests.every(({ projectName }) => projectName !== name));
  const failed = tests.length - passed + idle.length + report.errors.length;
  return { passed, failed: failed === 0 && exitCode !== 0 ? 1 : failed };
}

function testsOf({ suites = [], specs }: JourneySuite): JourneyTest[] {
  return [...specs.flatMap(({ tests }) => tests), ...suites.flatMap(testsOf)];
}

function hasPassed({ expectedStatus, results }: JourneyTest): boolean {
  return expectedStatus === 'passed' && results.length === 1 && results[0]?.status === 'passed';
}
