import type { BooksBalance } from '../../server/dist/store/books/booksBalance.js';
import { WORKLOADS } from './benchGame.ts';
import { type Results, ratiosOf } from './ratios.ts';

export type Report = Results & {
  machine: string;
  seconds: number;
  rounds: number;
  /** The proof covers every round of the run, without those of growth. */
  proof: BooksBalance;
};

/** A cell has these columns in this order; the values are a table's headings. */
const HEADINGS = {
  workload: 'workload',
  players: 'players',
  pastRounds: 'past rounds',
  connections: 'at once',
  target: 'target',
  users: 'users',
  wallet: 'wallet',
  dialect: 'dialect',
  request: 'request',
  load: 'load',
  arrivalsPerSecond: 'arrive per second',
  perSecond: 'per second',
  p50Ms: 'p50 ms',
  p99Ms: 'p99 ms',
  endRoundP50Ms: 'end-round p50 ms',
  endRoundP99Ms: 'end-round p99 ms',
  generatorMicros: 'generator µs',
  serverMicros: 'server µs',
  postgresMicros: 'PostgreSQL µs',
  walletMicros: 'wallet µs',
  consoleMicros: 'console µs',
  requestsPerSecond: 'requests of users per second',
  refusedPercent: 'refused %',
  gaveUpPercent: 'no connection %',
  unsettled: 'unsettled',
  residentMB: 'memory MB',
  walBytes: 'log bytes',
  tableBytes: 'table bytes',
} as const;

export function textOf(report: Report): string {
  const {
    machine,
    rates,
    seamless = [],
    dialects = [],
    costs = [],
    latency = [],
    overload = [],
    books,
    growth = [],
    proof,
  } = report;
  const parts = [
    machine,
    ...WORKLOADS.map((workload) =>
      cellTable(
        `Workload ${workload}`,
        rates.filter((cell) => cell.workload === workload),
      ),
    ),
    cellTable('Plays, with the money in several wallets', seamless),
    cellTable('Plays and rounds, with the wallet in several dialects', dialects),
    cellTable('What a play and a round cost, with everything that follows them', costs),
    cellTable('Plays that arrive at a fixed rate; a latency counts from when its play was due', latency),
    cellTable('Plays that arrive at a fixed rate, without and with users of the console', report.console?.plays ?? []),
    cellTable(
      'Requests of the users beside plays; processor time of one, without plays',
      report.console?.requests ?? [],
    ),
    cellTable('Plays when the server has too much to do', overload),
    table(
      'A mode of many books, opened and used',
      Object.entries(books ?? {}).map(([what, value]) => ({ what, value })),
    ),
    cellTable('Databases of several sizes', growth),
    table('What was measured against what it is to be', ratiosOf(report)),
    proofText(proof),
  ];
  return `\n${parts.filter((part) => part !== '').join('\n\n')}`;
}

type Cell = { [Name in keyof typeof HEADINGS]?: string | number | undefined };

/** Leaves out the columns that no cell has. */
function cellTable(title: string, cells: readonly Cell[]): string {
  const names = (Object.keys(HEADINGS) as (keyof Cell)[]).filter((name) =>
    cells.some((cell) => cell[name] !== undefined),
  );
  return table(
    title,
    cells.map((cell) => Object.fromEntries(names.map((name) => [HEADINGS[name], cell[name]]))),
  );
}

export function proofText({ rounds, transfers, accounts, imbalances }: BooksBalance): string {
  const result = imbalances.length === 0 ? 'the books balance' : 'THE BOOKS DO NOT BALANCE';
  const details = imbalances.map(({ rule, subject, detail }) => `\n  ${rule}: ${subject}, ${detail}`);
  return `${result}: ${rounds} rounds, ${transfers} transfers, ${accounts} accounts${details.join('')}`;
}

export type Row = Record<string, string | number | undefined>;

/** Returns Markdown, aligned for a terminal as well: texts on the left, numbers on the right. */
export function table(title: string, rows: readonly Row[]): string {
  const [first] = rows;
  if (first === undefined) return '';
  const columns = Object.keys(first).map((name) => {
    const texts = rows.map((row) => (typeof row[name] === 'string' ? row[name] : number(row[name])));
    const width = Math.max(name.length, ...texts.map(({ length }) => length));
    const isText = typeof first[name] === 'string';
    const pad = (text: string) => (isText ? text.padEnd(width) : text.padStart(width));
    return [pad(name), isText ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`, ...texts.map(pad)];
  });
  const lines = (columns[0] ?? []).map((_, line) => `| ${columns.map((column) => column[line]).join(' | ')} |`);
  return `${title}\n\n${lines.join('\n')}`;
}

function number(value: number | undefined): string {
  if (value === undefined) return '';
  const digits = Number.isInteger(value) || value >= 100 ? 0 : value < 10 ? 2 : 1;
  return value.toLocaleString('en-US', { minimumFractionDigits: digits, maximumFractionDigits: digits });
}
