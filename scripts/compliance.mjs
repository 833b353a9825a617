// Makes the tables of requirements. Without options it writes docs/compliance from
// requirements.mjs. `--check <reports of Vitest and Playwright>` ends with 1 when a test that a row
// names failed, or did not run though it is not a proof; `--results <file>` then writes what became
// of each.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { DOCUMENTS, STATUSES } from '../docs/compliance/requirements.mjs';
import { readTests } from './totals.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
/** The separator between the file of a test, its groups and its title. */
const SEPARATOR = ' > ';
const rowsOf = ({ sections }) => sections.flatMap(({ rows }) => rows);

/** Returns the text of each page, by its file in docs/compliance. */
export function pagesOf(documents = DOCUMENTS) {
  return Object.fromEntries(documents.map((document) => [`${document.page}.md`, pageOf(document)]));
}

/** Returns what is wrong with the rows themselves. */
export function issuesOf(documents = DOCUMENTS) {
  return documents.flatMap((document) => {
    const clauses = rowsOf(document).map(({ clause }) => clause);
    const twice = clauses.filter((clause, index) => clauses.indexOf(clause) !== index);
    const issues = rowsOf(document).flatMap((row) => issuesOfRow(row).map((issue) => `${row.clause}: ${issue}`));
    return [...twice.map((clause) => `${clause}: two rows`), ...issues].map((issue) => `${document.page} ${issue}`);
  });
}

function issuesOfRow({ requirement, status, how, code = [], tests = [] }) {
  const issues = [];
  if (!requirement || !how) issues.push('the requirement, or how it is met, is missing');
  if (!STATUSES.includes(status)) issues.push(`there is no status ${status}`);
  if (status === 'built' && (code.length === 0 || tests.length === 0)) issues.push('built needs code and a test');
  for (const file of code) if (!existsSync(path.join(root, file))) issues.push(`no file ${file}`);
  for (const test of tests) if (!isInSource(test)) issues.push(`no test ${test}`);
  return issues;
}

/** Returns whether the file has the titles of the groups and of the test, in this order. */
function isInSource(test) {
  const [file, ...titles] = test.split(SEPARATOR);
  if (titles.length === 0 || !existsSync(path.join(root, file))) return false;
  let rest = readFileSync(path.join(root, file), 'utf8');
  return titles.every((title) => {
    const found = new RegExp(`(['"\`])${patternOf(title, '[^\\n]*')}\\1`).exec(rest);
    rest = found ? rest.slice(found.index) : '';
    return found !== null;
  });
}

/** … and a $name of a table of cases match what a test fills in. */
function patternOf(title, anything) {
  return title
    .split(/…|\$\w+/)
    .map((part) => part.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'))
    .join(anything);
}

/** Returns the result of each test that a row names: `passed`, `failed` or `not run`. */
export function resultsOf(tests, documents = DOCUMENTS) {
  const named = [...new Set(documents.flatMap(rowsOf).flatMap((row) => row.tests ?? []))].sort();
  return Object.fromEntries(
    named.map((name) => {
      const [file, ...titles] = name.split(SEPARATOR);
      const whole = new RegExp(`^${patternOf(titles.join(SEPARATOR), '.*')}$`, 's');
      const cases = tests.filter((test) => test.file === file && whole.test(test.titles.join(SEPARATOR)));
      if (cases.length === 0) return [name, 'not run'];
      return [name, cases.every(({ outcome }) => outcome === 'passed') ? 'passed' : 'failed'];
    }),
  );
}

function pageOf(document) {
  const rows = rowsOf(document);
  const counts = STATUSES.map((status) => [status, rows.filter((row) => row.status === status).length]);
  const isUnread = rows.some(({ read }) => !read);
  return [
    `# ${document.title}`,
    wrapped(document.note),
    wrapped(
      'This page is not a certification. It states in our own words what each clause demands and where Roundhouse meets it. ' +
        'Only the text of the regulator is binding.',
    ),
    ...(isUnread ? ['† We know this clause from notes and summaries, not from the text of the regulator.'] : []),
    table(['status', 'rows'], counts),
    ...document.sections.flatMap(({ title, rows: own }) => [
      `## ${title}`,
      table(['clause', 'requirement', 'status', 'how', 'code, tests, command'], own.map(cellsOf)),
    ]),
    wrapped(
      '`npm run compliance` generates this page from `docs/compliance/requirements.mjs`, which names each test. ' +
        '[The evidence pack](index.md#the-evidence-pack) shows each with its result.',
    ),
  ]
    .join('\n\n')
    .concat('\n');
}

/** Breaks prose into lines of at most 116 columns. */
const wrapped = (text) => text.replace(/(.{1,116})(?: |$)/g, '$1\n').trimEnd();

function cellsOf({ clause, read, requirement, status, how, code = [], tests = [], evidence }) {
  const testFiles = tests.map((test) => test.split(SEPARATOR)[0]);
  const shown = [...new Set([...code, ...testFiles, ...(evidence ? [evidence] : [])])];
  return [read ? clause : `${clause} †`, requirement, status, how, shown.map((each) => `\`${each}\``).join('<br>')];
}

function table(head, rows) {
  const line = (cells) => `| ${cells.map((cell) => String(cell).replaceAll('|', '\\|')).join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) main();

function main() {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { check: { type: 'boolean', default: false }, results: { type: 'string' } },
  });
  if (!values.check) {
    for (const [file, text] of Object.entries(pagesOf())) writeFileSync(path.join(root, 'docs/compliance', file), text);
    return;
  }
  const tests = resultsOf(positionals.flatMap((report) => readTests(report) ?? []));
  if (values.results) writeFileSync(values.results, `${JSON.stringify({ at: new Date(), tests }, null, 2)}\n`);
  const open = Object.entries(tests).filter(([, result]) => result !== 'passed');
  for (const [test, result] of open) console.log(`${result}: ${test}`);
  const isProofLeftOut = ([test, result]) => result === 'not run' && test.includes('/proofs/');
  console.log(
    `${Object.keys(tests).length - open.length} of ${Object.keys(tests).length} tests of the requirements passed`,
  );
  if (!open.every(isProofLeftOut)) process.exitCode = 1;
}
