/** The part of vitest's JSON report that is counted. */
export interface Report {
  readonly numTotalTests: number;
  readonly numPassedTests: number;
  readonly testResults: readonly {
    readonly status: string;
    readonly assertionResults: readonly { readonly status: string }[];
  }[];
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
