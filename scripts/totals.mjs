// Counts how many tests passed and failed, from the reports of the test runners.
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { stripVTControlCharacters } from 'node:util';

/** A step without a report (types, lint …) is one check. */
export function ofCheck(exitCode) {
  return exitCode === 0 ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 };
}

/**
 * Returns the totals of a runner's tests. A runner that leaves no report, or ends with an error (an
 * unhandled rejection, a set-up that failed), has not succeeded, whatever it counted.
 */
export function ofTests(tests, exitCode) {
  if (tests === undefined) return ofCheck(exitCode || 1);
  const count = (wanted) => tests.filter(({ outcome }) => outcome === wanted).length;
  const failed = count('failed');
  return { passed: count('passed'), failed: exitCode !== 0 && failed === 0 ? 1 : failed };
}

/** Returns a line for each failure: where it is, and how its message begins. */
export function failuresOf(tests = []) {
  return tests
    .filter(({ outcome }) => outcome === 'failed')
    .map(({ file, titles, message = 'no message' }) => {
      const text = stripVTControlCharacters(message).replace(/\s+/g, ' ').trim();
      return `${file} › ${titles.join(' ')}: ${text.slice(0, LONGEST_MESSAGE)}`;
    });
}

const LONGEST_MESSAGE = 300;

/**
 * Returns the tests of a report of Vitest or Playwright, undefined without one: the file, from the
 * root of the repository, the titles of the groups and of the test, and its outcome: passed, failed
 * or skipped. A file that does not load has no failed test in it, but counts as one failure. A test
 * of Playwright that passes only when it is repeated has failed.
 */
export function readTests(reportFile) {
  const report = readReport(reportFile);
  return report?.testResults ? testsOfVitest(report) : report && testsOfPlaywright(report);
}

function testsOfVitest({ testResults }) {
  return testResults.flatMap(({ name, status, message, assertionResults }) => {
    const file = fromRoot(name);
    const tests = assertionResults.map(({ ancestorTitles, title, status: outcome, failureMessages = [] }) => {
      return { file, titles: [...ancestorTitles, title], outcome, message: failureMessages[0] };
    });
    const isUnloaded = status === 'failed' && tests.every(({ outcome }) => outcome !== 'failed');
    return isUnloaded ? [...tests, { file, titles: ['the file'], outcome: 'failed', message }] : tests;
  });
}

const OUTCOMES = { expected: 'passed', skipped: 'skipped' };

function testsOfPlaywright(report) {
  const visit = ({ suites = [], specs = [] }, groups) => [
    ...specs.flatMap(({ file, title, tests }) =>
      tests.map(({ status, results = [] }) => ({
        file: fromRoot(path.join(report.config.rootDir, file)),
        titles: [...groups, title],
        outcome: OUTCOMES[status] ?? 'failed',
        message: results.find(({ error }) => error)?.error.message,
      })),
    ),
    ...suites.flatMap((suite) => visit(suite, [...groups, suite.title])),
  ];
  // The outermost groups are the files.
  return report.suites.flatMap((suite) => visit(suite, []));
}

const fromRoot = (file) => path.relative(process.cwd(), path.resolve(file)).replaceAll(path.sep, '/');

export function add(totals, more) {
  return { passed: totals.passed + more.passed, failed: totals.failed + more.failed };
}

function readReport(file) {
  try {
    return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined;
  } catch {
    return undefined;
  }
}
