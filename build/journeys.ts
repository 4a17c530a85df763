import { told, type Tally } from './tally.ts';

/** The part of Playwright's JSON report that is counted. */
export interface JourneyReport {
  readonly config: { readonly projects: readonly { readonly name: string }[] };
  readonly suites: readonly JourneySuite[];
  /** What failed outside every test. */
  readonly errors: readonly { readonly message?: string }[];
}

interface JourneySuite {
  readonly suites?: readonly JourneySuite[];
  readonly specs: readonly JourneySpec[];
}

interface JourneySpec {
  readonly title: string;
  readonly file: string;
  readonly tests: readonly JourneyTest[];
}

interface JourneyTest {
  readonly projectName: string;
  readonly expectedStatus: string;
  readonly results: readonly { readonly status?: string; readonly error?: { readonly message?: string } }[];
}

/**
 * Only a test that passed at its first try counts as passed: one that is skipped, passed later, or is expected to fail is a
 * failure. So is a project in which nothing ran, an error outside the tests, and a run that ended badly although no test says
 * why.
 */
export function tallyJourneys(report: JourneyReport | undefined, exitCode: number): Tally {
  if (report === undefined || report.config.projects.length === 0) return { passed: 0, failed: 1 };
  const tests = report.suites.flatMap(specsOf).flatMap((spec) => spec.tests);
  const passed = tests.filter(hasPassed).length;
  const idle = report.config.projects.filter(({ name }) => tests.every(({ projectName }) => projectName !== name));
  const failed = tests.length - passed + idle.length + report.errors.length;
  return { passed, failed: failed === 0 && exitCode !== 0 ? 1 : failed };
}

/** As `failures` of the tests: what failed and the beginning of why. */
export function failedJourneys(report: JourneyReport | undefined): readonly string[] {
  const outside = (report?.errors ?? []).map(({ message }) => told('outside every journey', message ?? ''));
  const inside = (report?.suites ?? [])
    .flatMap(specsOf)
    .flatMap(({ title, file, tests }) =>
      tests
        .filter((test) => !hasPassed(test))
        .map(({ projectName, results }) =>
          told(`${file} › ${title} (${projectName})`, results.find(({ error }) => error)?.error?.message ?? ''),
        ),
    );
  return [...outside, ...inside];
}

function specsOf({ suites = [], specs }: JourneySuite): JourneySpec[] {
  return [...specs, ...suites.flatMap(specsOf)];
}

function hasPassed({ expectedStatus, results }: JourneyTest): boolean {
  return expectedStatus === 'passed' && results.length === 1 && results[0]?.status === 'passed';
}
