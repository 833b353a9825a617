import type { CurrencyCode } from '@roundhouse/contract';
import type { Database } from '../database/database.ts';
import { Prisma } from '../generated/client.ts';

/** Sums of rounds that were completed in the interval. Amounts are micros, as text. */
export type RevenueSums = {
  currency: CurrencyCode;
  /** Players paid for these. */
  rounds: bigint;
  bets: string;
  payouts: string;
  ggr: string;
  /** The operator paid for these: they are in no sum above. */
  freeRounds: bigint;
  freeBets: string;
  freePayouts: string;
  voidRounds: bigint;
  voidBets: string;
};

/** A member is null when the rows are not grouped by it. */
export type Revenue = RevenueSums & { day: string | null; operator: string | null; game: string | null };

export type RevenueWanted = {
  /** Days are in UTC, as 2026-11-23, both included. */
  from: string;
  to: string;
  operatorCode?: string | undefined;
  gameID?: string | undefined;
  currency?: string | undefined;
};

type Groups = Record<'byDay' | 'byOperator' | 'byGame', boolean>;

/** bets and payouts of the totals hold those of free rounds. */
const SUMS = Prisma.sql`
  t.currency, sum(t.rounds - t.free_rounds)::bigint AS rounds,
  sum(t.bets - t.free_bets)::text AS bets, sum(t.payouts - t.free_payouts)::text AS payouts,
  sum(t.bets - t.free_bets - t.payouts + t.free_payouts)::text AS ggr,
  sum(t.free_rounds)::bigint AS "freeRounds", sum(t.free_bets)::text AS "freeBets",
  sum(t.free_payouts)::text AS "freePayouts",
  sum(t.void_rounds)::bigint AS "voidRounds", sum(t.void_bets)::text AS "voidBets"`;

/** Reads at most `limit` rows, the newest day first. Currencies are never added together. */
export function readRevenue(
  db: Pick<Database, '$queryRaw'>,
  { groups: { byDay, byOperator, byGame }, limit, ...wanted }: RevenueWanted & { groups: Groups; limit: number },
): Promise<Revenue[]> {
  const columns = [
    byDay ? Prisma.sql`t.day::text AS day` : Prisma.sql`NULL AS day`,
    byOperator ? Prisma.sql`o.code AS operator` : Prisma.sql`NULL AS operator`,
    byGame ? Prisma.sql`g.code AS game` : Prisma.sql`NULL AS game`,
  ];
  const keys = [
    ...(byDay ? [Prisma.sql`t.day`] : []),
    ...(byOperator ? [Prisma.sql`o.code`] : []),
    ...(byGame ? [Prisma.sql`g.code`] : []),
    Prisma.sql`t.currency`,
  ];
  const order = [...(byDay ? [Prisma.sql`t.day DESC`] : []), ...keys.slice(byDay ? 1 : 0)];
  return db.$queryRaw<Revenue[]>`
    SELECT ${Prisma.join(columns)}, ${SUMS} ${totalsOf(wanted)}
    GROUP BY ${Prisma.join(keys)}
    ORDER BY ${Prisma.join(order)} LIMIT ${limit}`;
}

/** Reads the sums of the interval, for each currency. */
export function readRevenueTotals(db: Pick<Database, '$queryRaw'>, wanted: RevenueWanted): Promise<RevenueSums[]> {
  return db.$queryRaw<RevenueSums[]>`SELECT ${SUMS} ${totalsOf(wanted)} GROUP BY t.currency ORDER BY t.currency`;
}

function totalsOf({ from, to, operatorCode, gameID, currency }: RevenueWanted): Prisma.Sql {
  const conditions = [
    Prisma.sql`t.day BETWEEN ${from}::date AND ${to}::date`,
    ...(operatorCode === undefined
      ? []
      : [Prisma.sql`t.operator_id = (SELECT id FROM operators WHERE code = ${operatorCode})`]),
    ...(gameID === undefined ? [] : [Prisma.sql`g.code = ${gameID}`]),
    ...(currency === undefined ? [] : [Prisma.sql`t.currency = ${currency}`]),
  ];
  return Prisma.sql`
    FROM current_game_totals t
    JOIN operators o ON o.id = t.operator_id
    JOIN game_versions v ON v.id = t.game_version_id
    JOIN games g ON g.id = v.game_id
    WHERE ${Prisma.join(conditions, ' AND ')}`;
}
