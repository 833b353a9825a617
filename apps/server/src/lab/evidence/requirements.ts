import { html, prose, tableOf } from '../../base/htmlText.ts';
import { csvLines } from '../../base/terminal/csvLines.ts';
import { pageOf } from './page.ts';

/** The tables name these tests. */
export type Results = { at: string; tests: Record<string, 'passed' | 'failed' | 'not run'> };

type Row = {
  clause: string;
  read?: boolean;
  requirement: string;
  status: string;
  how: string;
  code?: string[];
  tests?: string[];
  evidence?: string;
};
type Document = { page: string; title: string; sections: { title: string; rows: Row[] }[] };
export type Requirements = { STATUSES: string[]; DOCUMENTS: Document[] };

const resultOf = (test: string, results: Results | undefined) =>
  results === undefined ? 'no results given' : (results.tests[test] ?? 'not run');

/** Returns one line for each row, for a spreadsheet. In a cell, a bar divides several entries. */
export function requirementsCsv({ DOCUMENTS }: Requirements, results: Results | undefined): string {
  const head = [
    'document',
    'clause',
    'clause read',
    'requirement',
    'status',
    'how',
    'code',
    'tests',
    'results',
    'command',
  ];
  const rows = DOCUMENTS.flatMap(({ page, sections }) =>
    sections.flatMap(({ rows: own }) =>
      own.map(({ clause, read = false, requirement, status, how, code = [], tests = [], evidence = '' }) => {
        const texts = [code, tests, tests.map((test) => resultOf(test, results))].map((each) => each.join(' | '));
        return [page, clause, read ? 'yes' : 'no', requirement, status, how, ...texts, evidence];
      }),
    ),
  );
  return csvLines([head, ...rows]);
}

/** Returns the same rows as a page. */
export function requirementsPage({ DOCUMENTS }: Requirements, results: Results | undefined): string {
  const list = (items: string[]) => (items.length === 0 ? '' : `<ul>${items.join('')}</ul>`);
  const cells = ({ clause, read, requirement, status, how, code = [], tests = [], evidence }: Row) => [
    html(read ? clause : `${clause} †`),
    prose(requirement),
    html(status),
    prose(how),
    list(tests.map((test) => testItem(test, results))) + list(code.map((file) => `<li><code>${html(file)}</code>`)),
    evidence === undefined ? '' : `<code>${html(evidence)}</code>`,
  ];
  const head = ['clause', 'requirement', 'status', 'how', 'tests with their results, code', 'command that shows it'];
  const documents = DOCUMENTS.map(({ page, title, sections }) =>
    [
      `<h2 id="${html(page)}">${html(title)}</h2>`,
      ...sections.map((section) => `<h3>${html(section.title)}</h3>\n${tableOf(head, section.rows.map(cells))}`),
    ].join('\n'),
  );
  const body = `<p><a href="index.html">Evidence</a></p>
<h1>Requirements</h1>
<p>Each row is one clause in our own words; only the text of the regulator is binding. † marks a clause that we know from notes and
summaries, not from that text. The <a href="documents/index.html">Test lab guide</a> says what each status means.</p>
${documents.join('\n')}`;
  return pageOf('requirements', body);
}

function testItem(test: string, results: Results | undefined): string {
  const result = resultOf(test, results);
  const [file = '', ...titles] = test.split(' > ');
  return `<li><span class="${result}">${result}</span>: ${html(titles.join(' › '))} <small>${html(file)}</small>`;
}

/** Returns a line for each document: its rows by status, and how many clauses somebody has read. */
export function countsOf({ DOCUMENTS, STATUSES }: Requirements): string {
  const rows = DOCUMENTS.map(({ page, title, sections }) => {
    const own = sections.flatMap((section) => section.rows);
    const counts = STATUSES.map((status) => own.filter((row) => row.status === status).length);
    const read = `${own.filter((row) => row.read).length} of ${own.length}`;
    return [`<a href="requirements.html#${html(page)}">${html(title)}</a>`, ...counts.map(String), read];
  });
  return tableOf(['document', ...STATUSES.map(html), "clauses read in the regulator's text"], rows);
}

/** Returns HTML. */
export function summaryOf({ at, tests }: Results): string {
  const count = (result: string) => Object.values(tests).filter((each) => each === result).length;
  const failed = count('failed') === 0 ? '0 failed' : `<strong class="failed">${count('failed')} failed</strong>`;
  return `Tests that the tables name, run until ${html(at)}: ${count('passed')} passed, ${failed}, ${count('not run')} not run.`;
}
