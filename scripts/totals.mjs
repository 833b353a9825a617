// How many tests passed and failed, read from what the test runners write down.
import { existsSync, readFileSync } from 'node:fs';

/** One step without a report of its own (types, lint …) is one check. */
export function ofCheck(exitCode) {
  return exitCode === 0 ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 };
}

/** Vitest's JSON report. A file that cannot even be loaded has no failed test in it, and is one failure all the same. */
export function ofVitest(reportFile, exitCode) {
  const report = readReport(reportFile);
  if (!report) return ofCheck(exitCode || 1);
  const unloaded = report.testResults.filter(
    (file) => file.status === 'failed' && file.assertionResults.every((test) => test.status !== 'failed'),
  );
  return orAtLeastOneFailure(
    { passed: report.numPassedTests, failed: report.numFailedTests + unloaded.length },
    exitCode,
  );
}

/** Playwright's JSON report. A test that passes only when it is repeated has failed. */
export function ofPlaywright(reportFile, exitCode) {
  const report = readReport(reportFile);
  if (!report) return ofCheck(exitCode || 1);
  const { expected, unexpected, flaky } = report.stats;
  return orAtLeastOneFailure({ passed: expected, failed: unexpected + flaky }, exitCode);
}

export function add(totals, more) {
  return { passed: totals.passed + more.passed, failed: totals.failed + more.failed };
}

// A runner that ends with an error (an unhandled rejection, a set-up that failed) has not succeeded, whatever it counted.
function orAtLeastOneFailure(totals, exitCode) {
  return exitCode !== 0 && totals.failed === 0 ? { ...totals, failed: 1 } : totals;
}

function readReport(file) {
  try {
    return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined;
  } catch {
    return undefined;
  }
}
