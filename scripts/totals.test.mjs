import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import {
  add,
  failuresOfPlaywright,
  failuresOfVitest,
  ofCheck,
  ofPlaywright,
  ofVitest,
  testsOfPlaywright,
  testsOfVitest,
} from './totals.mjs';

let folder;
let report;

beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'roundhouse-totals-'));
  report = path.join(folder, 'report.json');
});

afterEach(() => rmSync(folder, { recursive: true }));

function vitestReport(passed, failed, files = []) {
  writeFileSync(report, JSON.stringify({ numPassedTests: passed, numFailedTests: failed, testResults: files }));
}

it('a check counts one', () => {
  expect(ofCheck(0)).toEqual({ passed: 1, failed: 0 });
  expect(ofCheck(2)).toEqual({ passed: 0, failed: 1 });
  expect(add({ passed: 1, failed: 2 }, { passed: 3, failed: 4 })).toEqual({ passed: 4, failed: 6 });
});

it('vitest counts its tests', () => {
  vitestReport(7, 0, [{ status: 'passed', assertionResults: [{ status: 'passed' }] }]);
  expect(ofVitest(report, 0)).toEqual({ passed: 7, failed: 0 });
  vitestReport(7, 2, [{ status: 'failed', assertionResults: [{ status: 'failed' }, { status: 'failed' }] }]);
  expect(ofVitest(report, 1)).toEqual({ passed: 7, failed: 2 });
});

it('a file that could not be loaded, and an error outside of all tests, are failures', () => {
  vitestReport(7, 0, [{ status: 'failed', assertionResults: [] }]);
  expect(ofVitest(report, 1)).toEqual({ passed: 7, failed: 1 });
  vitestReport(7, 0);
  expect(ofVitest(report, 1)).toEqual({ passed: 7, failed: 1 });
});

it('no report is a failure, even when the runner says that all is well', () => {
  expect(ofVitest(report, 0)).toEqual({ passed: 0, failed: 1 });
  writeFileSync(report, '{"stats":');
  expect(ofPlaywright(report, 0)).toEqual({ passed: 0, failed: 1 });
});

it('a test in the browser that passes only when repeated has failed', () => {
  writeFileSync(report, JSON.stringify({ stats: { expected: 5, unexpected: 1, flaky: 1 } }));
  expect(ofPlaywright(report, 1)).toEqual({ passed: 5, failed: 2 });
});

it('each failure of vitest is a line: the test, or the file that could not be loaded', () => {
  vitestReport(1, 1, [
    { status: 'passed', name: path.resolve('a.test.ts'), assertionResults: [{ status: 'passed' }] },
    {
      status: 'failed',
      name: path.resolve('b.test.ts'),
      assertionResults: [
        { status: 'passed', fullName: 'fine' },
        { status: 'failed', fullName: 'a sum', failureMessages: ['\u001b[31mError\u001b[39m: 1\n  is not 2'] },
      ],
    },
    { status: 'failed', name: path.resolve('c.test.ts'), message: 'no such module', assertionResults: [] },
  ]);
  expect(failuresOfVitest(report)).toEqual([
    'b.test.ts › a sum: Error: 1 is not 2',
    'c.test.ts › the file: no such module',
  ]);
});

it('each failure in the browser is a line, however deep its group is', () => {
  const failed = {
    ok: false,
    title: 'spins',
    file: 'slot.spec.ts',
    tests: [{ results: [{ error: { message: 'x'.repeat(400) } }] }],
  };
  const passed = { ok: true, title: 'rests', file: 'slot.spec.ts', tests: [{ results: [{}] }] };
  writeFileSync(report, JSON.stringify({ suites: [{ specs: [passed], suites: [{ specs: [failed] }] }] }));
  expect(failuresOfPlaywright(report)).toEqual([`slot.spec.ts › spins: ${'x'.repeat(300)}`]);
  expect(failuresOfPlaywright(path.join(folder, 'none.json'))).toEqual([]);
});

it('the tests of vitest have their file, their groups and their title', () => {
  const assertionResults = [
    { ancestorTitles: ['a group', 'within'], title: 'passes', status: 'passed' },
    { ancestorTitles: [], title: 'waits', status: 'skipped' },
  ];
  vitestReport(1, 0, [{ status: 'passed', name: path.resolve('x/a.test.ts'), assertionResults }]);
  expect(testsOfVitest(report)).toEqual([
    { file: 'x/a.test.ts', titles: ['a group', 'within', 'passes'], passed: true },
    { file: 'x/a.test.ts', titles: ['waits'], passed: false },
  ]);
  expect(testsOfVitest(path.join(folder, 'none.json'))).toEqual([]);
});

it('the tests in the browser too; one that passes only when repeated, or is skipped, has not passed', () => {
  const spec = (title, ...statuses) => ({ title, file: 'a.spec.ts', tests: statuses.map((status) => ({ status })) });
  const group = { title: 'a group', specs: [spec('flickers', 'flaky'), spec('waits', 'skipped'), spec('none')] };
  const file = { title: 'a.spec.ts', specs: [spec('passes', 'expected')], suites: [group] };
  writeFileSync(report, JSON.stringify({ config: { rootDir: path.resolve('e2e/tests') }, suites: [file] }));
  expect(testsOfPlaywright(report)).toEqual([
    { file: 'e2e/tests/a.spec.ts', titles: ['passes'], passed: true },
    { file: 'e2e/tests/a.spec.ts', titles: ['a group', 'flickers'], passed: false },
    { file: 'e2e/tests/a.spec.ts', titles: ['a group', 'waits'], passed: false },
    { file: 'e2e/tests/a.spec.ts', titles: ['a group', 'none'], passed: false },
  ]);
  expect(testsOfPlaywright(path.join(folder, 'none.json'))).toEqual([]);
});
