import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { DOCUMENTS } from '../docs/compliance/requirements.mjs';
import { issuesOf, pagesOf, resultsOf } from './compliance.mjs';

const folder = new URL('../docs/compliance/', import.meta.url);
const THIS = 'scripts/compliance.test.mjs';

const documentOf = (...rows) => [
  {
    page: 'page',
    title: 'Title',
    note: 'Note.',
    sections: [{ title: 'Section', rows: rows.map((row) => ({ clause: '1', requirement: 'r', how: 'h', ...row })) }],
  },
];

it('the pages of docs/compliance are made from requirements.mjs: `npm run compliance` writes them', () => {
  const pages = pagesOf();
  const files = readdirSync(folder).filter((file) => file.endsWith('.md'));
  expect(files).toEqual(expect.arrayContaining(Object.keys(pages)));
  for (const [file, text] of Object.entries(pages)) expect(readFileSync(new URL(file, folder), 'utf8')).toBe(text);
});

it('each row of the requirements names files and tests that exist', () => {
  expect(issuesOf()).toEqual([]);
  expect(DOCUMENTS.map(({ page }) => page)).toEqual(['gli-19', 'ukgc-rts', 'agco']);
});

describe('an issue is', () => {
  it.each([
    ['a status that there is not', { status: 'certified' }, 'there is no status certified'],
    ['built without code and test', { status: 'built', code: [THIS] }, 'built needs code and a test'],
    ['a file that does not exist', { status: 'not built', code: ['scripts/none.mjs'] }, 'no file scripts/none.mjs'],
    ['a test in no file', { status: 'not built', tests: ['none.mjs > an issue is'] }, 'no test none.mjs > an issue is'],
    ['a test without a title', { status: 'not built', tests: [THIS] }, `no test ${THIS}`],
    [
      'a title that the file does not have',
      { status: 'not built', tests: [`${THIS} > ${'is'} nowhere`] },
      `no test ${THIS} > is nowhere`,
    ],
    [
      'a test before its group',
      {
        status: 'not built',
        tests: [`${THIS} > an issue is > each row of the requirements names files and tests that exist`],
      },
      `no test ${THIS} > an issue is > each row of the requirements names files and tests that exist`,
    ],
    ['nothing said about how', { status: 'not built', how: '' }, 'the requirement, or how it is met, is missing'],
  ])('%s', (_, row, issue) => expect(issuesOf(documentOf(row))).toEqual([`page 1: ${issue}`]));

  it('a clause with two rows', () => {
    expect(issuesOf(documentOf({ status: 'not built' }, { status: 'not built' }))).toEqual(['page 1: two rows']);
  });

  it('not a row that is right, with what its test fills in left out', () => {
    const tests = [`${THIS} > an issue is > …`, `${THIS} > an issue is > a clause with … rows`];
    expect(issuesOf(documentOf({ status: 'built', code: [THIS], tests }))).toEqual([]);
  });
});

it('a test passed when it ran, each of its cases passed, and it is in its own file', () => {
  const tests = ['a.test.ts > group > case … of $name', 'a.test.ts > alone', 'b.test.ts > alone', 'a.test.ts > a+b'];
  const document = documentOf({ status: 'built', tests });
  const ran = (passed, file, ...titles) => ({ outcome: passed ? 'passed' : 'failed', file, titles });
  const results = (...more) =>
    Object.values(
      resultsOf([ran(true, 'a.test.ts', 'group', 'case 1 of x'), ran(true, 'a.test.ts', 'a+b'), ...more], document),
    );
  expect(results(ran(true, 'a.test.ts', 'alone'))).toEqual(['passed', 'passed', 'passed', 'not run']);
  expect(results(ran(false, 'a.test.ts', 'group', 'case 2 of y'))).toEqual(['passed', 'not run', 'failed', 'not run']);
  expect(results(ran(true, 'b.test.ts', 'alone'), ran(true, 'a.test.ts', 'aab'))[3]).toBe('passed');
});

it('a page counts its rows, marks clauses that nobody has read, and cannot be broken by a text', () => {
  const rows = [
    {
      clause: '1',
      status: 'built',
      read: true,
      code: ['x.ts'],
      tests: ['x.test.ts > a', 'x.test.ts > b'],
      evidence: 'npm test',
    },
    { clause: '2', status: 'not built', how: 'a | b' },
  ];
  const page = pagesOf(documentOf(...rows))['page.md'];
  expect(page).toContain('| built | 1 |\n| configuration | 0 |');
  expect(page).toContain('| 1 | r | built | h | `x.ts`<br>`x.test.ts`<br>`npm test` |');
  expect(page).toContain('| 2 † | r | not built | a \\| b |  |');
  expect(page).toContain('not a certification');
});

it('the last step of `npm test` fails with the tests that did not pass, and writes what became of each', () => {
  const reports = mkdtempSync(path.join(os.tmpdir(), 'roundhouse-compliance-'));
  onTestFinished(() => rmSync(reports, { recursive: true }));
  const named = DOCUMENTS.flatMap(({ sections }) => sections.flatMap(({ rows }) => rows)).flatMap(
    (row) => row.tests ?? [],
  );
  const tests = [...new Set(named)].map((test) => test.split(' > '));
  const isBrowser = ([file]) => file.startsWith('e2e/');
  const unit = { testResults: [] };
  for (const [file, ...titles] of tests.filter((test) => !isBrowser(test))) {
    const assertionResults = [{ ancestorTitles: titles.slice(0, -1), title: titles.at(-1), status: 'passed' }];
    unit.testResults.push({ name: path.resolve(file), assertionResults });
  }
  const specs = tests.filter(isBrowser).map(([file, title]) => ({ file, title, tests: [{ status: 'expected' }] }));
  const browser = { config: { rootDir: process.cwd() }, suites: [{ title: 'all', specs }] };
  const [unitFile, browserFile, results] = ['unit', 'browser', 'results'].map((name) =>
    path.join(reports, `${name}.json`),
  );
  const check = () => {
    writeFileSync(unitFile, JSON.stringify(unit));
    writeFileSync(browserFile, JSON.stringify(browser));
    const args = ['scripts/compliance.mjs', '--check', unitFile, browserFile, '--results', results];
    const { status, stdout } = spawnSync(process.execPath, args, { encoding: 'utf8' });
    return { status, lines: stdout.trimEnd().split('\n'), results: JSON.parse(readFileSync(results, 'utf8')) };
  };
  const good = check();
  expect(good).toMatchObject({
    status: 0,
    lines: [`${tests.length} of ${tests.length} tests of the requirements passed`],
  });
  expect(Object.values(good.results.tests)).toEqual(tests.map(() => 'passed'));

  const proof = unit.testResults.splice(
    unit.testResults.findIndex(({ name }) => name.includes('/proofs/')),
    1,
  )[0];
  expect(check()).toMatchObject({
    status: 0,
    lines: expect.arrayContaining([expect.stringContaining(`not run: ${path.relative(process.cwd(), proof.name)} > `)]),
  });
  unit.testResults.push(proof);

  const [missing] = browser.suites[0].specs.splice(0, 1);
  const [broken] = unit.testResults;
  broken.assertionResults[0].status = 'failed';
  const bad = check();
  expect(bad.status).toBe(1);
  expect(bad.lines).toContain(`not run: ${missing.file} > ${missing.title}`);
  expect(bad.lines.some((line) => line.startsWith(`failed: ${path.relative(process.cwd(), broken.name)} > `))).toBe(
    true,
  );
  expect(bad.lines.at(-1)).toBe(`${tests.length - 2} of ${tests.length} tests of the requirements passed`);
});
