import type { BooksBalance } from '../dist/ledger/queries/booksBalance.js';
import type { BooksResults } from './books.ts';
import type { Latency } from './load/closedLoop.ts';
import type { Medians } from './measureInTurn.ts';
import { describe, type Report } from './run.ts';
import { bestOf, type RateCell, TARGETS } from './sections.ts';
import { WORKLOADS, type Workload } from './workload.ts';

const TITLES: Readonly<Record<Workload, string>> = {
  play: 'Play alone: the play is the whole round',
  round: 'Play, then end-round with a payout',
  authenticate: 'Authenticate',
  balance: 'Balance',
  event: 'Event: an action of the player in an open round',
};

export function jsonOf(report: Report): string {
  return JSON.stringify(report, (_key, member) => (typeof member === 'bigint' ? Number(member) : member), 2);
}

export function textOf({ machine, rates, seamless = [], books, growth = [], proof }: Report): string {
  const parts = [describe(machine)];
  for (const workload of WORKLOADS) {
    const cells = rates.filter((cell) => cell.workload === workload);
    addTable(
      parts,
      TITLES[workload],
      cells.map(({ connections, target, ...medians }) => ({
        'at once': connections,
        target: TARGETS[target],
        ...columnsOf(medians),
        ...(workload === 'round' && latencyColumns(medians.endRound, 'end-round ')),
      })),
    );
  }
  addTable(
    parts,
    'Play with the reference operator ("server" is Roundhouse and the operator)',
    seamless.map(({ connections, ...medians }) => ({ 'at once': connections, ...columnsOf(medians) })),
  );
  if (books !== undefined) addTable(parts, `A mode of ${number(books.books)} books`, booksRows(books));
  addTable(
    parts,
    'Play alone, in databases of several sizes',
    growth.map(({ players, pastRounds, connections, ...medians }) => {
      return { players, 'past rounds': pastRounds, 'at once': connections, ...columnsOf(medians) };
    }),
  );
  return `\n${[...parts, ratioText(rates), proofText(proof)].filter((part) => part !== '').join('\n\n')}`;
}

/** Rate, latency and processor time per unit of work, the same in every table. */
function columnsOf({ perSecond, latency, cpu }: Medians): Row {
  return {
    'per second': perSecond,
    ...latencyColumns(latency),
    'generator µs': cpu.generatorMicros,
    'server µs': cpu.serverMicros,
    'PostgreSQL µs': cpu.postgresMicros,
  };
}

function latencyColumns(latency: Latency | undefined, of = ''): Row {
  return { [`${of}p50 ms`]: latency?.p50Ms, [`${of}p99 ms`]: latency?.p99Ms };
}

function booksRows({ eventBytes, books, loadSeconds, zstdcatSeconds, ...rest }: BooksResults): Row[] {
  const results: Row = {
    'bytes a book': eventBytes / books,
    'load, s': loadSeconds,
    'load, MB/s': eventBytes / loadSeconds / 1e6,
    'processor time of a load, s': rest.loadCpuSeconds,
    'peak memory of a load, MB': rest.loadPeakBytes / 1e6,
    'zstdcat into wc -l, s': zstdcatSeconds,
    'speed of a load in that of zstdcat': zstdcatSeconds && zstdcatSeconds / loadSeconds,
    'reopening, s': rest.reopenSeconds,
    'peak memory after it, MB': rest.reopenPeakBytes / 1e6,
    'draws/s': rest.drawsPerSecond,
    'reads/s': rest.readsPerSecond,
  };
  return Object.entries(results).map(([what, value]) => ({ [`medians of ${rest.runs}`]: what, is: value }));
}

function ratioText(rates: readonly RateCell[]): string {
  const [own, naive] = [bestOf(rates, 'roundhouse'), bestOf(rates, 'naive')];
  if (own === undefined || naive === undefined) return '';
  const ratio = own.perSecond / naive.perSecond;
  return `At its best number of connections Roundhouse makes ${ratio.toFixed(1)} times the plays of the naive server.`;
}

function proofText({ rounds, transfers, accounts, imbalances }: BooksBalance): string {
  const verdict = imbalances.length === 0 ? 'the books balance' : 'THE BOOKS DO NOT BALANCE';
  const details = imbalances.map(({ rule, subject, detail }) => `\n  ${rule}: ${subject}, ${detail}`);
  return `${verdict}: ${rounds} rounds, ${transfers} transfers, ${accounts} accounts${details.join('')}`;
}

type Row = Record<string, string | number | undefined>;

/** Markdown, aligned to be read in a terminal as well: texts on the left, numbers on the right. */
function addTable(parts: string[], title: string, rows: readonly Row[]): void {
  const [first] = rows;
  if (first === undefined) return;
  const columns = Object.keys(first).map((name) => {
    const texts = rows.map((row) => (typeof row[name] === 'string' ? row[name] : number(row[name])));
    const width = Math.max(name.length, ...texts.map(({ length }) => length));
    const isText = typeof first[name] === 'string';
    const pad = (text: string) => (isText ? text.padEnd(width) : text.padStart(width));
    return [pad(name), isText ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`, ...texts.map(pad)];
  });
  const lines = (columns[0] ?? []).map((_, line) => `| ${columns.map((column) => column[line]).join(' | ')} |`);
  parts.push(`${title}\n\n${lines.join('\n')}`);
}

function number(value: number | undefined): string {
  if (value === undefined) return '';
  const digits = Number.isInteger(value) || value >= 100 ? 0 : value < 10 ? 2 : 1;
  return value.toLocaleString('en-US', { minimumFractionDigits: digits, maximumFractionDigits: digits });
}
