/** The part of vitest's JSON report that is counted. */
export interface Report {
  readonly numTotalTests: number;
  readonly numPassedTests: number;
  readonly testResults: readonly {
    readonly name: string;
    readonly status: string;
    /** Why the file did not load. */
    readonly message?: string;
    readonly assertionResults: readonly TestReport[];
  }[];
}

export interface TestReport {
  readonly status: string;
  readonly fullName: string;
  readonly failureMessages?: readonly string[] | null;
}

export interface Tally {
  readonly passed: number;
  readonly failed: number;
}

/**
 * Only a test that ran and passed counts as passed: a skipped one is a failure, and so is a file that did not load, a
 * run without tests, and a run that ended badly although no test says why (an unhandled rejection, a lost worker).
 */
export function tally(report: Report | undefined, exitCode: number): Tally {
  if (report === undefined || report.numTotalTests === 0) return { passed: 0, failed: 1 };
  const broken = report.testResults.filter(
    ({ status, assertionResults }) => status !== 'passed' && assertionResults.every((test) => test.status === 'passed'),
  );
  const failed = report.numTotalTests - report.numPassedTests + broken.length;
  return { passed: report.numPassedTests, failed: failed === 0 && exitCode !== 0 ? 1 : failed };
}

/** What failed and the beginning of why, a text for each: said again last, where nobody has to look for it. */
export function failures(report: Report | undefined): readonly string[] {
  return (report?.testResults ?? []).flatMap(({ name, status, message = '', assertionResults }) => {
    const failed = assertionResults.filter((test) => test.status !== 'passed');
    if (failed.length === 0) return status === 'passed' ? [] : [told(name, message)];
    return failed.map(({ fullName, failureMessages }) => told(`${name} › ${fullName}`, failureMessages?.[0] ?? ''));
  });
}

const SHOWN_LINES = 12;

export function told(what: string, why: string): string {
  const lines = why.split('\n').slice(0, SHOWN_LINES);
  return [what, ...lines.map((line) => `    ${line}`)].join('\n').trimEnd();
}
