// How many tests passed and failed, read from what the test runners write down.
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { stripVTControlCharacters } from 'node:util';

/** One step without a report of its own (types, lint …) is one check. */
export function ofCheck(exitCode) {
  return exitCode === 0 ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 };
}

/**
 * Vitest's JSON report. A file that cannot even be loaded has no failed test in it, and is one
 * failure all the same.
 */
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

/** A line for each failure of Vitest: where it is, and how its message begins. */
export function failuresOfVitest(reportFile) {
  const files = readReport(reportFile)?.testResults.filter(({ status }) => status === 'failed') ?? [];
  return files.flatMap(({ name, message, assertionResults }) => {
    const failed = assertionResults.filter(({ status }) => status === 'failed');
    if (failed.length === 0) return [failureLine(name, 'the file', message)];
    return failed.map(({ fullName, failureMessages }) => failureLine(name, fullName, failureMessages[0]));
  });
}

/** The same for Playwright. */
export function failuresOfPlaywright(reportFile) {
  const lines = [];
  const visit = ({ suites = [], specs = [] }) => {
    for (const { file, title, ok, tests } of specs) {
      const result = tests.flatMap(({ results }) => results).find(({ error }) => error);
      if (!ok) lines.push(failureLine(file, title, result?.error.message));
    }
    suites.forEach(visit);
  };
  visit(readReport(reportFile) ?? {});
  return lines;
}

/**
 * The tests of Vitest's report: the file, from the root of the repository, and the titles of the
 * groups and of the test.
 */
export function testsOfVitest(reportFile) {
  const files = readReport(reportFile)?.testResults ?? [];
  return files.flatMap(({ name, assertionResults }) =>
    assertionResults.map(({ ancestorTitles, title, status }) => ({
      file: fromRoot(name),
      titles: [...ancestorTitles, title],
      passed: status === 'passed',
    })),
  );
}

/** The same for Playwright. A test that passes only when it is repeated has not passed. */
export function testsOfPlaywright(reportFile) {
  const found = [];
  const report = readReport(reportFile);
  const visit = ({ suites = [], specs = [] }, groups) => {
    for (const { file, title, tests } of specs) {
      const passed = tests.length > 0 && tests.every(({ status }) => status === 'expected');
      found.push({ file: fromRoot(path.join(report.config.rootDir, file)), titles: [...groups, title], passed });
    }
    for (const suite of suites) visit(suite, [...groups, suite.title]);
  };
  // The outermost groups are the files.
  for (const suite of report?.suites ?? []) visit(suite, []);
  return found;
}

const fromRoot = (file) => path.relative(process.cwd(), path.resolve(file)).replaceAll(path.sep, '/');

const LONGEST_MESSAGE = 300;

function failureLine(file, title, message = 'no message') {
  const text = stripVTControlCharacters(message).replace(/\s+/g, ' ').trim();
  return `${fromRoot(file)} › ${title}: ${text.slice(0, LONGEST_MESSAGE)}`;
}

export function add(totals, more) {
  return { passed: totals.passed + more.passed, failed: totals.failed + more.failed };
}

// A runner that ends with an error (an unhandled rejection, a set-up that failed) has not
// succeeded, whatever it counted.
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
