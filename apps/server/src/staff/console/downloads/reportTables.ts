import type { RevenueGroup } from '@roundhouse/contract/admin';
import { MS_PER_DAY } from '../../../base/durations.ts';
import { notFoundResponse } from '../../../base/http/responses.ts';
import type { Cell } from '../../../base/terminal/csvLines.ts';
import { databaseClock } from '../../../store/database/database.ts';
import { readPerformance } from '../../../store/staff/performance.ts';
import { type Revenue, readRevenue } from '../../../store/staff/revenue.ts';
import { PERFORMANCE_COLUMNS, performanceTable } from '../../reports/performanceReport.ts';
import { scopeOf } from '../operatorScope.ts';
import { filtersOf, type Source, type Table } from './table.ts';

type ReportQuery = { from?: string; to?: string; operator?: string; game?: string; currency?: string; by?: string };

const PERFORMANCE_AMOUNTS = new Set([
  'bets',
  'payouts',
  'ggr',
  'voidBets',
  'interruptedBets',
  'freeBets',
  'freePayouts',
]);

/** Has the rows and columns of `roundhouse report --csv`, whose amounts are in wire units. */
export const performanceDownload: Table = {
  list: 'getPerformance',
  columns: PERFORMANCE_COLUMNS.map((name) => ({ name, isAmount: PERFORMANCE_AMOUNTS.has(name) })),
  async open(source) {
    const { from, to, operator, game } = queryOf('getPerformance', source);
    const { db } = source.deps;
    const interval = { from, to: to ?? (await databaseClock(db)).toISOString().slice(0, 10) };
    const { operatorCode = operator } = scopeOf(source.exchange.res);
    const outcome = await readPerformance(db, { operatorCode, gameID: game, ...interval });
    if (!outcome.ok) return { ok: false, ...notFoundResponse(`there is no such ${outcome.unknown}`) };
    const rows = performanceTable({ ...outcome, ...interval });
    return { ok: true, rows: rows.length, pages: once(rows) };
  },
};

const REVENUE_LIMIT = 1_000_000;
const REVENUE_SUMS = {
  rounds: (row: Revenue) => Number(row.rounds),
  bets: (row: Revenue) => BigInt(row.bets),
  payouts: (row: Revenue) => BigInt(row.payouts),
  ggr: (row: Revenue) => BigInt(row.ggr),
  freeRounds: (row: Revenue) => Number(row.freeRounds),
  freeBets: (row: Revenue) => BigInt(row.freeBets),
  freePayouts: (row: Revenue) => BigInt(row.freePayouts),
  voidRounds: (row: Revenue) => Number(row.voidRounds),
  voidBets: (row: Revenue) => BigInt(row.voidBets),
} satisfies Record<string, (row: Revenue) => Cell>;
const REVENUE_AMOUNTS = new Set(['bets', 'payouts', 'ggr', 'freeBets', 'freePayouts', 'voidBets']);
const REVENUE_KEYS = ['day', 'operator', 'game', 'currency'] as const;
const REVENUE_COLUMNS = ['from', 'to', ...REVENUE_KEYS, ...Object.keys(REVENUE_SUMS)];

/** Has all rows, where the page cuts them. Grouped by day it reads one day at a time. */
export const revenueDownload: Table = {
  list: 'getRevenue',
  columns: REVENUE_COLUMNS.map((name) => ({ name, isAmount: REVENUE_AMOUNTS.has(name) })),
  async open(source) {
    const { from = '', to = '', operator, game, currency, by = '' } = queryOf('getRevenue', source);
    const keys = new Set(by.split(',') as RevenueGroup[]);
    const groups = { byDay: keys.has('day'), byOperator: keys.has('operator'), byGame: keys.has('game') };
    const { operatorCode = operator } = scopeOf(source.exchange.res);
    const wanted = { operatorCode, gameID: game, currency, groups, limit: REVENUE_LIMIT };
    const { db } = source.deps;
    const cellsOf = (row: Revenue): Cell[] => [
      ...[from, to, ...REVENUE_KEYS.map((key) => row[key])],
      ...Object.values(REVENUE_SUMS).map((read) => read(row)),
    ];
    async function* pages() {
      const intervals = groups.byDay ? daysFrom(from, to).map((day) => ({ from: day, to: day })) : [{ from, to }];
      for (const interval of intervals) yield (await readRevenue(db, { ...wanted, ...interval })).map(cellsOf);
    }
    return { ok: true, rows: undefined, pages: pages() };
  },
};

function queryOf(list: 'getPerformance' | 'getRevenue', { query }: Source): ReportQuery {
  return filtersOf(list, query).query as ReportQuery;
}

async function* once(rows: Cell[][]) {
  yield rows;
}

/** Returns the days of an interval, the newest first. */
function daysFrom(from: string, to: string): string[] {
  const days = (Date.parse(to) - Date.parse(from)) / MS_PER_DAY + 1;
  return Array.from({ length: days }, (_, ago) =>
    new Date(Date.parse(to) - ago * MS_PER_DAY).toISOString().slice(0, 10),
  );
}
