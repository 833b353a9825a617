import type { BooksBalance } from '../dist/ledger/queries/booksBalance.js';
import { WORKLOADS, type Workload } from './benchGame.ts';
import { LATENCY_TARGETS } from './latency.ts';
import type { Medians } from './measureInTurn.ts';
import { OVERLOAD_LOADS } from './overload.ts';
import { type Results, ratiosOf } from './ratios.ts';
import { WALLET_NAMES } from './seamless.ts';
import { TARGETS } from './sections.ts';

export type Report = Results & {
  machine: string;
  seconds: number;
  rounds: number;
  /** The proof over every round of the run, growth apart. */
  proof: BooksBalance;
};

const TITLES: Readonly<Record<Workload, string>> = {
  play: 'Play alone: the play is the whole round',
  round: 'Play, then end-round with a payout',
  authenticate: 'Authenticate',
  balance: 'Balance',
  event: 'Event: an action of the player in an open round',
};

export function textOf(report: Report): string {
  const { machine, rates, seamless = [], timeline = [], latency = [], steady = [], overload = [] } = report;
  const { books, growth = [], proof } = report;
  const ofWorkload = (workload: Workload) =>
    rates
      .filter((cell) => cell.workload === workload)
      .map(({ connections, target, ...medians }) => ({
        'at once': connections,
        target: TARGETS[target],
        ...columnsOf(medians),
        ...(workload === 'round' && {
          'end-round p50 ms': medians.endRoundP50Ms,
          'end-round p99 ms': medians.endRoundP99Ms,
        }),
      }));
  const parts = [
    machine,
    ...WORKLOADS.map((workload) => table(TITLES[workload], ofWorkload(workload))),
    table(
      'Play, with the money in several wallets',
      seamless.map(({ connections, wallet, ...medians }) => ({
        'at once': connections,
        wallet: WALLET_NAMES[wallet],
        ...columnsOf(medians),
        'wallet µs': medians.walletMicros,
        'refused %': medians.refusedPercent,
        unsettled: medians.unsettled,
      })),
    ),
    table('One play with the instant wallet: when each step is reached', timeline),
    table(
      'Plays that arrive at a fixed rate; a latency counts from when its play was due',
      latency.map(({ target, arrivalsPerSecond, ...medians }) => ({
        target: LATENCY_TARGETS[target],
        'arrive per second': arrivalsPerSecond,
        ...columnsOf(medians),
        'max ms': medians.maxMs,
        'event loop p99 ms': medians.loopP99Ms,
        'garbage collection %': medians.gcPercent,
      })),
    ),
    table(
      'Plays that arrive at a fixed rate for a long time',
      steady.map(({ minute, perSecond, p50Ms, p99Ms, residentMB }) => ({
        minute,
        'per second': perSecond,
        'p50 ms': p50Ms,
        'p99 ms': p99Ms,
        'memory MB': residentMB,
      })),
    ),
    table(
      'Plays when the server has too much to do',
      overload.map(({ load, connections, arrivalsPerSecond, ...medians }) => ({
        'at once': connections,
        load: OVERLOAD_LOADS[load],
        'arrive per second': arrivalsPerSecond,
        ...columnsOf(medians),
        'refused %': medians.refusedPercent,
        'no connection %': medians.gaveUpPercent,
        'memory MB': medians.residentMB,
      })),
    ),
    table(
      'A mode of many books, opened and used',
      Object.entries(books ?? {}).map(([what, value]) => ({ what, value })),
    ),
    table(
      'Databases of several sizes',
      growth.map(({ workload, players, pastRounds, connections, ...medians }) => {
        return { workload, players, 'past rounds': pastRounds, 'at once': connections, ...columnsOf(medians) };
      }),
    ),
    table('What was measured against what it is to be', ratiosOf(report)),
    proofText(proof),
  ];
  return `\n${parts.filter((part) => part !== '').join('\n\n')}`;
}

/** Rate, latency and processor time per unit of work, the same in every table. */
function columnsOf(medians: Medians): Row {
  return {
    'per second': medians.perSecond,
    'p50 ms': medians.p50Ms,
    'p99 ms': medians.p99Ms,
    'generator µs': medians.generatorMicros,
    'server µs': medians.serverMicros,
    'PostgreSQL µs': medians.postgresMicros,
  };
}

export function proofText({ rounds, transfers, accounts, imbalances }: BooksBalance): string {
  const result = imbalances.length === 0 ? 'the books balance' : 'THE BOOKS DO NOT BALANCE';
  const details = imbalances.map(({ rule, subject, detail }) => `\n  ${rule}: ${subject}, ${detail}`);
  return `${result}: ${rounds} rounds, ${transfers} transfers, ${accounts} accounts${details.join('')}`;
}

export type Row = Record<string, string | number | undefined>;

/** Markdown, aligned to be read in a terminal as well: texts on the left, numbers on the right. */
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
