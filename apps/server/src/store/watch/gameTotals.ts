import type { CurrencyCode } from '@roundhouse/contract';
import type { PayoutMoments } from '@roundhouse/math';
import type { Database } from '../database/database.ts';
import { Prisma } from '../generated/client.ts';
import { recordEvent } from './significantEvents.ts';

type Sums = { rounds: bigint; bets: bigint; payouts: bigint; betSquares: bigint; maxBet: bigint };

/** The operator paid for these of the rounds. freeBets is what their bets would have cost. */
type FreeSums = { freeRounds: bigint; freeBets: bigint; freePayouts: bigint };

/** A mode of a game version has totals for each currency. Amounts are in micros. */
export type ModeTotals = Sums &
  FreeSums & {
    gameVersionID: number;
    gameID: string;
    version: string;
    /** It belongs to the version: as in StoredVersion. */
    publishedAt: Date;
    withdrawnAt: Date | null;
    isWithdrawn: boolean;
    mode: string;
    currency: CurrencyCode;
    voidRounds: bigint;
    voidBets: bigint;
    /** These rounds are not complete now and their bet is debited, whatever the days. */
    open: Sums;
    /** It is undefined for a version that was published before the database kept them. */
    table: { cost: string; moments: PayoutMoments } | undefined;
  };

export type TotalsFilter = {
  operator?: string | undefined;
  game?: string | undefined;
  /** Days of completion are in UTC, as 2026-11-23; both belong to the time. */
  from?: string | undefined;
  to?: string | undefined;
};

/** Moves completed rounds into the totals. It is safe at any time and in several processes. */
export async function foldGameTotals(db: Pick<Database, '$executeRaw'>): Promise<void> {
  await db.$executeRaw`SELECT fold_game_totals()`;
}

const FREE = ['freeRounds', 'freeBets', 'freePayouts'] as const;
const AMOUNTS = ['rounds', 'bets', 'payouts', ...FREE, 'betSquares', 'maxBet', 'voidRounds', 'voidBets'] as const;
const OPEN = ['openRounds', 'openBets', 'openPayouts', 'openBetSquares', 'openMaxBet'] as const;
const TABLE = ['totalWeight', 'hitWeight', 'sum', 'sumOfSquares', 'sumOfCubes', 'max'] as const;

type Row = Omit<ModeTotals, keyof Sums | keyof FreeSums | 'voidRounds' | 'voidBets' | 'open' | 'table'> &
  Record<(typeof AMOUNTS)[number] | (typeof OPEN)[number], string> &
  Record<(typeof TABLE)[number] | 'cost', string | null>;

/** Reads by game, version, mode and currency. Numbers are text: sums of squares exceed a bigint. */
export async function readModeTotals(
  db: Pick<Database, '$queryRaw'>,
  { operator, game, from, to }: TotalsFilter = {},
): Promise<ModeTotals[]> {
  const where = (conditions: (Prisma.Sql | false)[]) =>
    Prisma.join([Prisma.sql`true`, ...conditions.filter((each) => each !== false)], ' AND ');
  const ofOperator =
    operator !== undefined && Prisma.sql`operator_id = (SELECT id FROM operators WHERE code = ${operator})`;
  const ofGame =
    game !== undefined &&
    Prisma.sql`game_version_id = ANY (ARRAY(
      SELECT v.id
      FROM game_versions v
      JOIN games g ON g.id = v.game_id
      WHERE g.code = ${game}
    ))`;
  const rows = await db.$queryRaw<Row[]>`
    WITH total AS (
      SELECT game_version_id, mode, currency, sum(rounds) AS rounds, sum(bets) AS bets, sum(payouts) AS payouts,
        sum(free_rounds) AS free_rounds, sum(free_bets) AS free_bets, sum(free_payouts) AS free_payouts,
        sum(bet_squares) AS bet_squares, max(max_bet) AS max_bet, sum(void_rounds) AS void_rounds,
        sum(void_bets) AS void_bets
      FROM current_game_totals
      WHERE ${where([
        ofOperator,
        ofGame,
        from !== undefined && Prisma.sql`day >= ${from}::date`,
        to !== undefined && Prisma.sql`day <= ${to}::date`,
      ])}
      GROUP BY game_version_id, mode, currency
    ), open AS (
      SELECT r.game_version_id, r.mode, a.currency, count(*) AS rounds, sum(r.debit_micros) AS bets,
        sum(r.payout_micros) AS payouts,
        sum(r.debit_micros::numeric * r.debit_micros) AS bet_squares, max(r.debit_micros) AS max_bet
      -- LIMIT makes PostgreSQL look up each account, where it would read all of them.
      FROM rounds r
      CROSS JOIN LATERAL (SELECT operator_id, currency FROM accounts WHERE id = r.account_id LIMIT 1) a
      WHERE r.ended_at IS NULL AND r.wallet_state IS DISTINCT FROM 'debit_pending' AND ${where([ofOperator, ofGame])}
      GROUP BY r.game_version_id, r.mode, a.currency
    )
    SELECT v.id AS "gameVersionID", g.code AS "gameID", v.version, v.published_at AS "publishedAt",
      v.withdrawn_at AS "withdrawnAt",
      coalesce(v.withdrawn_at <= now(), false) AS "isWithdrawn", mode, currency,
      coalesce(t.rounds, 0)::text AS rounds, coalesce(t.bets, 0)::text AS bets, coalesce(t.payouts, 0)::text AS payouts,
      coalesce(t.free_rounds, 0)::text AS "freeRounds", coalesce(t.free_bets, 0)::text AS "freeBets",
      coalesce(t.free_payouts, 0)::text AS "freePayouts",
      coalesce(t.bet_squares, 0)::text AS "betSquares", coalesce(t.max_bet, 0)::text AS "maxBet",
      coalesce(t.void_rounds, 0)::text AS "voidRounds", coalesce(t.void_bets, 0)::text AS "voidBets",
      coalesce(o.rounds, 0)::text AS "openRounds", coalesce(o.bets, 0)::text AS "openBets",
      coalesce(o.payouts, 0)::text AS "openPayouts",
      coalesce(o.bet_squares, 0)::text AS "openBetSquares", coalesce(o.max_bet, 0)::text AS "openMaxBet",
      m.cost_multiplier::text AS cost, m.total_weight::text AS "totalWeight", m.hit_weight::text AS "hitWeight",
      m.payout_sum::text AS sum, m.payout_squares::text AS "sumOfSquares", m.payout_cubes::text AS "sumOfCubes",
      m.max_payout::text AS max
    FROM total t
    FULL JOIN open o USING (game_version_id, mode, currency)
    JOIN game_versions v ON v.id = game_version_id
    JOIN games g ON g.id = v.game_id
    LEFT JOIN game_modes m USING (game_version_id, mode)
    ORDER BY g.code, v.id, mode, currency`;
  return rows.map(totalsOf);
}

function totalsOf(row: Row): ModeTotals {
  const { gameVersionID, gameID, version, publishedAt, withdrawnAt, isWithdrawn, mode, currency, cost } = row;
  const exact = <Name extends string>(names: readonly Name[], values: Record<Name, string | null>) =>
    Object.fromEntries(names.map((name) => [name, BigInt(values[name] ?? 0)])) as Record<Name, bigint>;
  const open = exact(OPEN, row);
  return {
    gameVersionID,
    gameID,
    version,
    publishedAt,
    withdrawnAt,
    isWithdrawn,
    mode,
    currency,
    ...exact(AMOUNTS, row),
    open: {
      rounds: open.openRounds,
      bets: open.openBets,
      payouts: open.openPayouts,
      betSquares: open.openBetSquares,
      maxBet: open.openMaxBet,
    },
    table: cost === null ? undefined : { cost, moments: exact(TABLE, row) },
  };
}

/** The sums of one UTC day, as 2026-11-23, over rounds that are not void. */
export type DaySums = Sums & { day: string };

type DaysFilter = {
  gameVersionID: number;
  mode: string;
  currency: string;
  operatorID?: number | undefined;
  from: string;
  to: string;
};

/** Reads the days with rounds, the oldest first. Both ends belong to the time. */
export async function readModeDays(
  db: Pick<Database, '$queryRaw'>,
  { gameVersionID, mode, currency, operatorID, from, to }: DaysFilter,
): Promise<DaySums[]> {
  const ofOperator = operatorID === undefined ? Prisma.sql`true` : Prisma.sql`operator_id = ${operatorID}`;
  const rows = await db.$queryRaw<({ day: string } & Record<keyof Sums, string>)[]>`
    SELECT day::text, sum(rounds)::text AS rounds, sum(bets)::text AS bets, sum(payouts)::text AS payouts,
      sum(bet_squares)::text AS "betSquares", max(max_bet)::text AS "maxBet"
    FROM current_game_totals
    WHERE game_version_id = ${gameVersionID} AND mode = ${mode} AND currency = ${currency}
      AND day BETWEEN ${from}::date AND ${to}::date AND ${ofOperator}
    GROUP BY day
    HAVING sum(rounds) > 0
    ORDER BY day`;
  return rows.map(({ day, rounds, bets, payouts, betSquares, maxBet }) => ({
    day,
    rounds: BigInt(rounds),
    bets: BigInt(bets),
    payouts: BigInt(payouts),
    betSquares: BigInt(betSquares),
    maxBet: BigInt(maxBet),
  }));
}

/** Returns true for one caller in `everyMs`, on whichever node. */
export async function claimRtpCheck(db: Pick<Database, '$executeRaw'>, everyMs: number): Promise<boolean> {
  const claimed = await db.$executeRaw`
    UPDATE rtp_checks
    SET checked_at = now()
    WHERE checked_at <= now() - ${everyMs} * interval '1 millisecond'`;
  return claimed === 1;
}

export type RtpAlarm = Pick<ModeTotals, 'gameVersionID' | 'gameID' | 'version' | 'mode' | 'currency'> &
  Pick<Sums, 'rounds' | 'bets' | 'payouts'> & {
    /** The period is `life`, a month (2026-11) or a day (2026-11-23). */
    period: string;
    rtp: number;
    theoreticalRtp: number;
  };

/** Stores an alarm and its event, once for each period. Returns false when it is known. */
export function storeRtpAlarm(db: Database, alarm: RtpAlarm): Promise<boolean> {
  const { gameVersionID, gameID, version, mode, currency, period, rtp, theoreticalRtp } = alarm;
  const [rounds, bets, payouts] = [`${alarm.rounds}`, `${alarm.bets}`, `${alarm.payouts}`];
  return db.$transaction(async (tx) => {
    const stored = await tx.$executeRaw`
      INSERT INTO rtp_alarms (game_version_id, mode, currency, period, rounds, bets, payouts)
      VALUES (${gameVersionID}, ${mode}, ${currency}, ${period},
        ${rounds}::bigint, ${bets}::numeric, ${payouts}::numeric)
      ON CONFLICT DO NOTHING`;
    if (stored === 0) return false;
    await recordEvent(tx, {
      kind: 'rtp_alarm',
      subject: `game ${gameID}/${version}, mode ${mode}, ${currency}`,
      before: { rtp: theoreticalRtp },
      after: { rtp, period, rounds, bets, payouts },
    });
    return true;
  });
}

type AlarmCount = { game: string; version: string; mode: string; currency: string; count: number };

/** Counts the alarms of these periods for the metrics, without versions that are withdrawn. */
export function countRtpAlarms(db: Pick<Database, '$queryRaw'>, periods: readonly string[]): Promise<AlarmCount[]> {
  return db.$queryRaw<AlarmCount[]>`
    SELECT g.code AS game, v.version, a.mode, a.currency, count(*)::integer AS count
    FROM rtp_alarms a
    JOIN game_versions v ON v.id = a.game_version_id
    JOIN games g ON g.id = v.game_id
    WHERE a.period = ANY (${[...periods]}) AND coalesce(v.withdrawn_at > now(), true)
    GROUP BY g.code, v.version, a.mode, a.currency`;
}
