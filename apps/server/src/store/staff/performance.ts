import type { CurrencyCode } from '@roundhouse/contract';
import type { Database } from '../database/database.ts';
import { Prisma } from '../generated/client.ts';

/** A mode of a game version did this at an operator, in a currency. Amounts are in micros. */
export type Performance = {
  operatorCode: string;
  gameID: string;
  gameVersion: string;
  title: string;
  /** A node loaded the version for the first time then. */
  publishedAt: Date;
  withdrawnAt: Date | null;
  /** The version was withdrawn when the report was made. */
  isWithdrawn: boolean;
  mode: string;
  currency: CurrencyCode;
  /**
   * Players paid for these rounds, which were completed in the interval and are not void; with
   * their costs and payouts.
   */
  rounds: bigint;
  bets: bigint;
  payouts: bigint;
  /**
   * The same of free rounds: the operator paid for them, and the cost is what their bets would have
   * cost.
   */
  freeRounds: bigint;
  freeBets: bigint;
  freePayouts: bigint;
  /** Rounds that became void in the interval, free ones included. Their bets were returned. */
  voidRounds: bigint;
  voidBets: bigint;
  /** Open rounds in which nothing has happened for an hour. Free ones have no bet. */
  interruptedRounds: bigint;
  interruptedBets: bigint;
  /**
   * The published math has this mean payout ÷ cost, a fraction of 1; null until a node has served
   * the version.
   */
  theoreticalRtp: number | null;
};

export type PerformanceWanted = {
  operatorCode?: string | undefined;
  gameID?: string | undefined;
  /** Days are in UTC, as 2026-11-23, both included. `from` defaults to the first round. */
  from?: string | undefined;
  to: string;
};

export type PerformanceOutcome =
  | { ok: false; unknown: 'operator' | 'game' }
  | {
      ok: true;
      /** The clock of the database gives the time. */
      generatedAt: Date;
      rows: Performance[];
      /** It names all requested operators, with and without rows. */
      operatorCodes: string[];
    };

type Row = Omit<Performance, 'operatorCode' | 'gameID' | 'gameVersion' | 'theoreticalRtp'> & {
  operator: string;
  game: string;
  version: string;
  rtp: number | null;
  generated_at: Date;
};

/** Reads one snapshot, in the order of operator, game, version, mode and currency. */
export async function readPerformance(db: Database, wanted: PerformanceWanted): Promise<PerformanceOutcome> {
  const { operatorCode, gameID, from, to } = wanted;
  return db.$transaction(
    async (tx) => {
      const operators = await tx.operator.findMany({
        where: operatorCode === undefined ? {} : { code: operatorCode },
        orderBy: { code: 'asc' },
      });
      if (operatorCode !== undefined && operators.length === 0) return { ok: false, unknown: 'operator' };
      if (gameID !== undefined && (await tx.game.count({ where: { code: gameID } })) === 0)
        return { ok: false, unknown: 'game' };
      const [clock] = await tx.$queryRaw<{ now: Date }[]>`SELECT now()`;
      const since = from === undefined ? Prisma.empty : Prisma.sql`AND day >= ${from}::date`;
      const ofOperator = operatorCode === undefined ? Prisma.empty : Prisma.sql`AND o.code = ${operatorCode}`;
      const ofGame = gameID === undefined ? Prisma.empty : Prisma.sql`AND g.code = ${gameID}`;
      const rows = await tx.$queryRaw<Row[]>`
        SELECT o.code AS operator, g.code AS game, v.version, v.title, v.published_at AS "publishedAt",
          v.withdrawn_at AS "withdrawnAt",
          coalesce(v.withdrawn_at <= now(), false) AS "isWithdrawn", t.mode, t.currency,
          sum(t.rounds - t.free_rounds)::bigint AS rounds, sum(t.bets - t.free_bets)::bigint AS bets,
          sum(t.payouts - t.free_payouts)::bigint AS payouts,
          sum(t.free_rounds)::bigint AS "freeRounds", sum(t.free_bets)::bigint AS "freeBets",
          sum(t.free_payouts)::bigint AS "freePayouts",
          sum(t.void_rounds)::bigint AS "voidRounds", sum(t.void_bets)::bigint AS "voidBets",
          sum(t.left_rounds)::bigint AS "interruptedRounds", sum(t.left_bets)::bigint AS "interruptedBets",
          (v.mode_returns -> t.mode ->> 'rtp')::double precision AS rtp
        FROM (
          SELECT operator_id, game_version_id, mode, currency, rounds, bets, payouts, free_rounds, free_bets,
            free_payouts, void_rounds, void_bets, 0 AS left_rounds, 0 AS left_bets
          FROM current_game_totals
          WHERE day <= ${to}::date ${since}
          UNION ALL
          SELECT i.operator_id, r.game_version_id, r.mode, i.currency, 0, 0, 0, 0, 0, 0, 0, 0, 1,
            CASE WHEN r.grant_id IS NULL THEN i.debit_micros ELSE 0 END
          FROM interrupted_rounds i
          JOIN rounds r ON r.id = i.round_id
          WHERE i.active_at <= now() - interval '1 hour'
        ) t
        JOIN operators o ON o.id = t.operator_id
        JOIN game_versions v ON v.id = t.game_version_id
        JOIN games g ON g.id = v.game_id
        WHERE true ${ofOperator} ${ofGame}
        GROUP BY o.code, g.code, v.id, t.mode, t.currency
        ORDER BY o.code, g.code, v.id, t.mode, t.currency`;
      if (clock === undefined) throw new Error('the database returned no time');
      return {
        ok: true,
        generatedAt: clock.now,
        rows: rows.map(toPerformance),
        operatorCodes: operators.map(({ code }) => code),
      };
    },
    { isolationLevel: 'RepeatableRead', timeout: 3_600_000 },
  );
}

function toPerformance({ operator, game, version, rtp, ...sums }: Row): Performance {
  return { operatorCode: operator, gameID: game, gameVersion: version, theoreticalRtp: rtp, ...sums };
}
