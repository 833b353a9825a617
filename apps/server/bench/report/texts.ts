import type { LoadResult } from '../generators/closedLoop.ts';
import type { GrowthCell } from '../sections/growth.ts';
import type { Isolation } from '../sections/isolation.ts';
import type { OpenLoopLatency } from '../sections/latency.ts';
import { type RateCell, TARGETS } from '../sections/rates.ts';
import type { SeamlessCell } from '../sections/seamless.ts';
import { WORKLOADS, type Workload } from '../workload.ts';
import type { Check } from './check.ts';
import { type Column, figureColumns, latencyColumns, milliseconds, tableOf, wholeNumber } from './table.ts';

const TITLES: Readonly<Record<Workload, string>> = {
  play: 'Play alone: the play is the whole round',
  round: 'Play, then end-round with a payout',
  authenticate: 'Authenticate',
  balance: 'Balance',
  event: 'Event: an action of the player in an open round',
};
const RATES: Readonly<Record<Workload, string>> = {
  play: 'plays/s',
  round: 'rounds/s',
  authenticate: 'requests/s',
  balance: 'requests/s',
  event: 'events/s',
};

const AT_ONCE = { title: 'at once', value: ({ connections }: { connections: number }) => String(connections) };

export function ratesText(cells: readonly RateCell[]): string {
  const parts = WORKLOADS.map((workload) => ({ workload, rows: cells.filter((cell) => cell.workload === workload) }));
  return parts
    .filter(({ rows }) => rows.length > 0)
    .map(({ workload, rows }) => `${TITLES[workload]}\n\n${tableOf(rateColumns(workload), rows)}`)
    .join('\n\n');
}

function rateColumns(workload: Workload): Column<RateCell>[] {
  const endRound =
    workload === 'round' ? latencyColumns<RateCell>(({ endRound: latency }) => latency, 'end-round ') : [];
  const target = { title: 'target', value: (cell: RateCell) => TARGETS[cell.target], isText: true };
  return [AT_ONCE, target, ...figureColumns<RateCell>(RATES[workload]), ...endRound];
}

export function latencyText(latency: OpenLoopLatency): string {
  const { ratePerSecond, seconds, connections, waited } = latency;
  return [
    `Open loop: ${wholeNumber(ratePerSecond)} plays/s arrive for ${seconds} s on ${connections} connections, half of the top rate`,
    '',
    tableOf<OpenLoopLatency>(
      [
        { title: 'plays/s', value: (row) => wholeNumber(row.perSecond) },
        { title: 'p50 ms', value: (row) => milliseconds(row.p50Ms) },
        { title: 'p99 ms', value: (row) => milliseconds(row.p99Ms) },
        { title: 'p99.9 ms', value: (row) => milliseconds(row.p999Ms) },
      ],
      [latency],
    ),
    ...(waited > 0 ? ['', `${wholeNumber(waited)} of them found no free connection, and waited for one.`] : []),
  ].join('\n');
}

export function seamlessText(cells: readonly SeamlessCell[]): string {
  const columns = [AT_ONCE, ...figureColumns<SeamlessCell>('plays/s')];
  return `Play alone, the money with the reference operator ("server" is Roundhouse and the operator)\n\n${tableOf(columns, cells)}`;
}

export function growthText(cells: readonly GrowthCell[]): string {
  const columns: Column<GrowthCell>[] = [
    { title: 'players', value: ({ players }) => wholeNumber(players) },
    { title: 'past rounds', value: ({ pastRounds }) => wholeNumber(pastRounds) },
    { title: 'playing', value: ({ active }) => wholeNumber(active) },
    AT_ONCE,
    ...figureColumns<GrowthCell>('plays/s'),
    { title: 'books', value: ({ proven }) => (proven ? 'balance' : 'not proven'), isText: true },
  ];
  return `Play alone, in databases of several sizes\n\n${tableOf(columns, cells)}`;
}

export function isolationText({ before, during, after, livelyPlayers, stuckPlayers }: Isolation): string {
  const rows = [
    { what: 'alone', ...before },
    { what: 'while the other operator hangs', ...during },
    { what: 'alone again', ...after },
  ];
  type Row = LoadResult & { what: string };
  const columns: Column<Row>[] = [
    { title: '', value: ({ what }) => what, isText: true },
    { title: 'plays/s', value: ({ perSecond }) => wholeNumber(perSecond) },
    ...latencyColumns<Row>(({ latency }) => latency),
  ];
  const alone = (before.perSecond + after.perSecond) / 2;
  return [
    `Two operators with wallets of their own: ${livelyPlayers} players of one, while ${stuckPlayers} of the other wait for a wallet that hangs`,
    '',
    tableOf(columns, rows),
    '',
    `While it hangs: ${(during.perSecond / alone).toFixed(2)} × the plays of alone`,
  ].join('\n');
}

export function checksText(checks: readonly Check[]): string {
  const columns: Column<Check>[] = [
    { title: 'target', value: ({ name }) => name, isText: true },
    { title: 'is', value: ({ value }) => String(Number(value.toFixed(2))) },
    { title: 'to be', value: ({ target }) => target },
    { title: '', value: ({ ok }) => (ok ? 'met' : 'MISSED'), isText: true },
  ];
  return `Targets\n\n${tableOf(columns, checks)}`;
}
