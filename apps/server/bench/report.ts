import type { BooksBalance } from '../dist/ledger/queries/booksBalance.js';
import type { BooksResults } from './books.ts';
import type { Latency } from './load/closedLoop.ts';
import type { Medians } from './measureInTurn.ts';
import { describe, type Report } from './run.ts';
import { bestOf, type GrowthCell, type RateCell, type SeamlessCell, TARGETS } from './sections.ts';
import { WORKLOADS, type Workload } from './workload.ts';

const TITLES: Readonly<Record<Workload, string>> = {
  play: 'Play alone: the play is the whole round',
  round: 'Play, then end-round with a payout',
  authenticate: 'Authenticate',
  balance: 'Balance',
  event: 'Event: an action of the player in an open round',
};
const MEGABYTE = 1e6;

export function jsonOf(report: Report): string {
  return JSON.stringify(report, (_key, member) => (typeof member === 'bigint' ? Number(member) : member), 2);
}

export function textOf({ machine, rates, seamless, books, growth, proof }: Report): string {
  const parts = [
    describe(machine),
    ...WORKLOADS.map((workload) => ratesText(rates, workload)),
    seamless && seamlessText(seamless),
    books && booksText(books),
    growth && growthText(growth),
    ratioText(rates),
    proofText(proof),
  ];
  return `\n${parts.filter((part) => part !== undefined).join('\n\n')}`;
}

function ratesText(cells: readonly RateCell[], workload: Workload): string | undefined {
  const rows = cells.filter((cell) => cell.workload === workload);
  if (rows.length === 0) return undefined;
  const target: Column<RateCell> = { title: 'target', value: (cell) => TARGETS[cell.target], isText: true };
  const endRound = workload === 'round' ? latencyColumns<RateCell>((cell) => cell.endRound, 'end-round ') : [];
  return `${TITLES[workload]}\n\n${tableOf([AT_ONCE, target, ...medianColumns<RateCell>(), ...endRound], rows)}`;
}

function ratioText(rates: readonly RateCell[]): string | undefined {
  const [own, naive] = [bestOf(rates, 'roundhouse'), bestOf(rates, 'naive')];
  if (own === undefined || naive === undefined) return undefined;
  const ratio = own.perSecond / naive.perSecond;
  return `At its best number of connections Roundhouse makes ${ratio.toFixed(1)} times the plays of the naive server.`;
}

function seamlessText(cells: readonly SeamlessCell[]): string {
  const columns = [AT_ONCE, ...medianColumns<SeamlessCell>()];
  return `Play with the reference operator ("server" is Roundhouse and the operator)\n\n${tableOf(columns, cells)}`;
}

function growthText(cells: readonly GrowthCell[]): string {
  const columns: Column<GrowthCell>[] = [
    { title: 'players', value: ({ players }) => wholeNumber(players) },
    { title: 'past rounds', value: ({ pastRounds }) => wholeNumber(pastRounds) },
    AT_ONCE,
    ...medianColumns<GrowthCell>(),
  ];
  return `Play alone, in databases of several sizes\n\n${tableOf(columns, cells)}`;
}

function booksText(results: BooksResults): string {
  const { books, runs, eventBytes, loadSeconds, zstdcatSeconds } = results;
  const zstdcat: [string, string][] =
    zstdcatSeconds === undefined
      ? []
      : [
          ['zstdcat into wc -l', seconds(zstdcatSeconds)],
          ['speed of a load beside it', `${(zstdcatSeconds / loadSeconds).toFixed(2)} ×`],
        ];
  const rows: [string, string][] = [
    ['load', `${seconds(loadSeconds)}, ${wholeNumber(eventBytes / loadSeconds / MEGABYTE)} MB/s`],
    ['processor time of a load', seconds(results.loadCpuSeconds)],
    ['peak memory of a load', megabytes(results.loadPeakBytes)],
    ...zstdcat,
    ['reopening', seconds(results.reopenSeconds)],
    ['peak memory after it', megabytes(results.reopenPeakBytes)],
    ['draws/s', wholeNumber(results.drawsPerSecond)],
    ['reads/s', wholeNumber(results.readsPerSecond)],
  ];
  const columns: Column<[string, string]>[] = [
    { title: '', value: ([title]) => title, isText: true },
    { title: '', value: ([, value]) => value },
  ];
  const title = `A mode of ${wholeNumber(books)} books, ${wholeNumber(eventBytes / books)} bytes each; medians of ${runs}`;
  return `${title}\n\n${tableOf(columns, rows)}`;
}

function proofText({ rounds, transfers, accounts, imbalances }: BooksBalance): string {
  const verdict = imbalances.length === 0 ? 'the books balance' : 'THE BOOKS DO NOT BALANCE';
  return [
    `${verdict}: ${rounds} rounds, ${transfers} transfers, ${accounts} accounts`,
    ...imbalances.map(({ rule, subject, detail }) => `  ${rule}: ${subject}, ${detail}`),
  ].join('\n');
}

type Column<Row> = {
  title: string;
  value: (row: Row) => string;
  /** Words stand on the left, numbers on the right. */
  isText?: boolean;
};

const AT_ONCE = { title: 'at once', value: ({ connections }: { connections: number }) => String(connections) };

/** Markdown, aligned to be read in a terminal as well. */
function tableOf<Row>(columns: readonly Column<Row>[], rows: readonly Row[]): string {
  const texts = rows.map((row) => columns.map(({ value }) => value(row)));
  const widths = columns.map(({ title }, index) =>
    Math.max(title.length, ...texts.map((row) => row[index]?.length ?? 0)),
  );
  const pad = (text: string, index: number) =>
    columns[index]?.isText ? text.padEnd(widths[index] ?? 0) : text.padStart(widths[index] ?? 0);
  const line = (values: readonly string[]) => `| ${values.map(pad).join(' | ')} |`;
  const rule = widths.map((width, index) => (columns[index]?.isText ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`));
  return [line(columns.map(({ title }) => title)), line(rule), ...texts.map(line)].join('\n');
}

/** Rate, latency and processor time per unit of work, the same in every table. */
function medianColumns<Row extends Medians>(): Column<Row>[] {
  return [
    { title: 'per second', value: (row) => wholeNumber(row.perSecond) },
    ...latencyColumns<Row>((row) => row.latency),
    { title: 'generator µs', value: (row) => wholeNumber(row.cpu.generatorMicros) },
    { title: 'server µs', value: (row) => wholeNumber(row.cpu.serverMicros) },
    { title: 'PostgreSQL µs', value: (row) => wholeNumber(row.cpu.postgresMicros) },
  ];
}

function latencyColumns<Row>(pick: (row: Row) => Latency | undefined, of = ''): Column<Row>[] {
  return [
    { title: `${of}p50 ms`, value: (row) => milliseconds(pick(row)?.p50Ms) },
    { title: `${of}p99 ms`, value: (row) => milliseconds(pick(row)?.p99Ms) },
  ];
}

function wholeNumber(value: number | undefined): string {
  return value === undefined ? '' : Math.round(value).toLocaleString('en-US');
}

function milliseconds(value: number | undefined): string {
  return value === undefined ? '' : value.toFixed(value < 10 ? 2 : 1);
}

function seconds(value: number): string {
  return `${value.toFixed(2)} s`;
}

function megabytes(bytes: number): string {
  return `${wholeNumber(bytes / MEGABYTE)} MB`;
}
