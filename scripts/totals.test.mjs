import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { add, failuresOf, ofCheck, ofTests, readTests } from './totals.mjs';

let folder;
let report;

beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'roundhouse-totals-'));
  report = path.join(folder, 'report.json');
});

afterEach(() => rmSync(folder, { recursive: true }));

it('a check counts one', () => {
  expect(ofCheck(0)).toEqual({ passed: 1, failed: 0 });
  expect(ofCheck(2)).toEqual({ passed: 0, failed: 1 });
  expect(add({ passed: 1, failed: 2 }, { passed: 3, failed: 4 })).toEqual({ passed: 4, failed: 6 });
});

it.each([
  ['tests are counted by outcome', ['passed', 'failed', 'skipped', 'passed'], 1, { passed: 2, failed: 1 }],
  ['an error outside of all tests is a failure', ['passed'], 1, { passed: 1, failed: 1 }],
  ['no report is a failure, even when the runner says that all is well', undefined, 0, { passed: 0, failed: 1 }],
])('%s', (_, outcomes, exitCode, totals) => {
  const tests = outcomes?.map((outcome) => ({ outcome }));
  expect(ofTests(tests, exitCode)).toEqual(totals);
});

it('each failure is a line', () => {
  const failed = { file: 'b.test.ts', outcome: 'failed' };
  const tests = [
    { file: 'a.test.ts', titles: ['fine'], outcome: 'passed' },
    { ...failed, titles: ['a group', 'a sum'], message: '\u001b[31mError\u001b[39m: 1\n  is not 2' },
    { ...failed, titles: ['long'], message: 'x'.repeat(400) },
  ];
  expect(failuresOf(tests)).toEqual([
    'b.test.ts › a group a sum: Error: 1 is not 2',
    `b.test.ts › long: ${'x'.repeat(300)}`,
  ]);
  expect(failuresOf(undefined)).toEqual([]);
});

it('a test of vitest has its file, groups, title and outcome; a file that could not be loaded has failed', () => {
  const assertionResults = [
    { ancestorTitles: ['a group', 'within'], title: 'passes', status: 'passed' },
    { ancestorTitles: [], title: 'waits', status: 'skipped' },
    { ancestorTitles: [], title: 'adds', status: 'failed', failureMessages: ['1 is not 2'] },
  ];
  const broken = { status: 'failed', name: path.resolve('c.test.ts'), message: 'no module', assertionResults: [] };
  const testResults = [{ status: 'failed', name: path.resolve('x/a.test.ts'), assertionResults }, broken];
  writeFileSync(report, JSON.stringify({ testResults }));
  expect(readTests(report)).toEqual([
    { file: 'x/a.test.ts', titles: ['a group', 'within', 'passes'], outcome: 'passed' },
    { file: 'x/a.test.ts', titles: ['waits'], outcome: 'skipped' },
    { file: 'x/a.test.ts', titles: ['adds'], outcome: 'failed', message: '1 is not 2' },
    { file: 'c.test.ts', titles: ['the file'], outcome: 'failed', message: 'no module' },
  ]);
});

it('a test in the browser too; one that passes only when repeated has failed', () => {
  const spec = (title, ...tests) => ({ title, file: 'a.spec.ts', tests });
  const flaky = { status: 'flaky', results: [{ error: { message: 'late' } }, {}] };
  const group = { title: 'a group', specs: [spec('flickers', flaky), spec('waits', { status: 'skipped' })] };
  const file = { title: 'a.spec.ts', specs: [spec('passes', { status: 'expected' })], suites: [group] };
  writeFileSync(report, JSON.stringify({ config: { rootDir: path.resolve('e2e/tests') }, suites: [file] }));
  expect(readTests(report)).toEqual([
    { file: 'e2e/tests/a.spec.ts', titles: ['passes'], outcome: 'passed' },
    { file: 'e2e/tests/a.spec.ts', titles: ['a group', 'flickers'], outcome: 'failed', message: 'late' },
    { file: 'e2e/tests/a.spec.ts', titles: ['a group', 'waits'], outcome: 'skipped' },
  ]);
});

it('no report, or a broken one, has no tests', () => {
  expect(readTests(report)).toBeUndefined();
  writeFileSync(report, '{"stats":');
  expect(readTests(report)).toBeUndefined();
});
