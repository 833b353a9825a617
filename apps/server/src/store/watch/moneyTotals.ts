import type { Database } from '../database/database.ts';

type Reader = Pick<Database, '$queryRaw'>;

/**
 * Completed rounds of a game at an operator in a currency. Amounts are in micros. Players paid for
 * `rounds` and `bets`, and the operator for the free ones; of the void ones free ones are part.
 */
export type MoneySums = {
  rounds: bigint;
  bets: bigint;
  payouts: bigint;
  freeRounds: bigint;
  freePayouts: bigint;
  voidRounds: bigint;
  voidBets: bigint;
};

export type MoneyTotals = MoneySums & { operator: string; game: string; currency: string };

/** Sums the days of UTC from `from` on and before `before`, which are as 2026-11-23. */
export async function sumDays(
  db: Reader,
  { from, before = 'infinity' }: { from: string; before?: string },
): Promise<MoneyTotals[]> {
  // The sums of years do not fit into a bigint in every currency.
  const rows = await db.$queryRaw<Record<keyof MoneyTotals, string>[]>`
    SELECT o.code AS operator, g.code AS game, t.currency,
      sum(t.rounds - t.free_rounds)::text AS rounds, sum(t.bets - t.free_bets)::text AS bets,
      sum(t.payouts - t.free_payouts)::text AS payouts,
      sum(t.free_rounds)::text AS "freeRounds", sum(t.free_payouts)::text AS "freePayouts",
      sum(t.void_rounds)::text AS "voidRounds", sum(t.void_bets)::text AS "voidBets"
    FROM current_game_totals t
    JOIN operators o ON o.id = t.operator_id
    JOIN game_versions v ON v.id = t.game_version_id
    JOIN games g ON g.id = v.game_id
    WHERE t.day >= ${from}::date AND t.day < ${before}::date
    GROUP BY 1, 2, 3`;
  return rows.map(({ operator, game, currency, ...sums }) => {
    const exact = Object.fromEntries(Object.entries(sums).map(([name, text]) => [name, BigInt(text)]));
    return { operator, game, currency, ...(exact as MoneySums) };
  });
}

/**
 * Returns the day before today by the database's clock, and the first day with a completed round
 * when that is before it, else the same.
 */
export async function findDays(db: Reader): Promise<{ first: string; yesterday: string }> {
  const [row] = await db.$queryRaw<{ first: string | null; yesterday: string }[]>`
    SELECT least((SELECT min(day) FROM game_totals), (SELECT min(day) FROM completed_rounds))::text AS first,
      ((now() AT TIME ZONE 'UTC')::date - 1)::text AS yesterday`;
  if (row === undefined) throw new Error('the database returned no time');
  const { first, yesterday } = row;
  return { first: first === null || first > yesterday ? yesterday : first, yesterday };
}
