import type { Database } from '../database/database.ts';

type Reader = Pick<Database, '$queryRaw'>;

/** The rounds of a day of UTC at an operator, in a game and a currency. Sums are in micros. */
export type DaySums = {
  operator: string;
  game: string;
  currency: string;
  /** For example 2026-11-23. */
  day: string;
  /** Players paid for these, and the operator for the free ones. */
  rounds: bigint;
  bets: bigint;
  payouts: bigint;
  freeRounds: bigint;
  freePayouts: bigint;
};

/**
 * Reads the days from the totals that are kept: no round is read, except for those not folded yet.
 */
export function readDays(db: Reader, days: readonly string[]): Promise<DaySums[]> {
  return db.$queryRaw<DaySums[]>`
    SELECT o.code AS operator, g.code AS game, t.currency, t.day::text,
      sum(t.rounds - t.free_rounds)::bigint AS rounds, sum(t.bets - t.free_bets)::bigint AS bets,
      sum(t.payouts - t.free_payouts)::bigint AS payouts,
      sum(t.free_rounds)::bigint AS "freeRounds", sum(t.free_payouts)::bigint AS "freePayouts"
    FROM current_game_totals t
    JOIN operators o ON o.id = t.operator_id
    JOIN game_versions v ON v.id = t.game_version_id
    JOIN games g ON g.id = v.game_id
    WHERE t.day = ANY (${[...days]}::date[])
    GROUP BY 1, 2, 3, 4
    ORDER BY 1, 2, 3, 4`;
}

/** The clock of the database, with the days of UTC that are compared. */
export type Today = { at: Date; day: string; lastWeekDay: string };

export async function readToday(db: Reader): Promise<Today> {
  const [row] = await db.$queryRaw<Today[]>`
    SELECT clock_timestamp() AS at, to_char(now() AT TIME ZONE 'UTC', 'YYYY-MM-DD') AS day,
      to_char((now() AT TIME ZONE 'UTC') - interval '7 days', 'YYYY-MM-DD') AS "lastWeekDay"`;
  if (row === undefined) throw new Error('the database returned no time');
  return row;
}

/**
 * Two readings give the rounds opened between them, without a look at a round. The ids of a cell
 * begin far above 1.
 */
export type RoundCounter = { at: Date; rounds: bigint };

export async function readRoundCounter(db: Reader): Promise<RoundCounter> {
  const [row] = await db.$queryRaw<RoundCounter[]>`
    SELECT clock_timestamp() AS at, coalesce(pg_sequence_last_value('rounds_id_seq') - seqmin + 1, 0)::bigint AS rounds
    FROM pg_sequence
    WHERE seqrelid = 'rounds_id_seq'::regclass`;
  if (row === undefined) throw new Error('the database returned no counter');
  return row;
}

// LATERAL with a limit keeps the planner from reading all accounts to join them with a few rounds.

/** Counts open rounds by operator, from the index of open rounds. */
export function countOpenRounds(db: Reader): Promise<{ operator: string; count: number }[]> {
  return db.$queryRaw<{ operator: string; count: number }[]>`
    SELECT o.code AS operator, count(*)::integer AS count
    FROM rounds r
    CROSS JOIN LATERAL (SELECT operator_id FROM accounts WHERE id = r.account_id LIMIT 1) a
    JOIN operators o ON o.id = a.operator_id
    WHERE r.ended_at IS NULL
    GROUP BY o.code
    ORDER BY o.code`;
}

export type OpenRounds = {
  operator: string;
  /** The shortest of these times that holds the age. */
  age: '10m' | '1h' | '1d' | 'older';
  count: number;
};

/** Counts open rounds by operator and age, from the index of open rounds. */
export function countOpenRoundsByAge(db: Reader): Promise<OpenRounds[]> {
  return db.$queryRaw<OpenRounds[]>`
    SELECT o.code AS operator,
      CASE WHEN age < interval '10 minutes' THEN '10m' WHEN age < interval '1 hour' THEN '1h'
        WHEN age < interval '1 day' THEN '1d' ELSE 'older' END AS age,
      count(*)::integer AS count
    FROM (SELECT account_id, now() - opened_at AS age FROM rounds WHERE ended_at IS NULL) r
    CROSS JOIN LATERAL (SELECT operator_id FROM accounts WHERE id = r.account_id LIMIT 1) a
    JOIN operators o ON o.id = a.operator_id
    GROUP BY 1, 2`;
}

/** Counts of the unsettled wallet transactions with one last result. */
export type UnsettledGroup = {
  operator: string;
  state: 'pending' | 'parked';
  currency: string;
  /** It is null before the first result. */
  resultCode: string | null;
  lastResultAt: Date | null;
  oldestAt: Date;
  /** Micros, as text: a sum may pass the range of a bigint of SQL. */
  amount: string;
  minute: number;
  tenMinutes: number;
  hour: number;
  day: number;
  older: number;
};

/** Reads unsettled wallet transactions only: each state has an index. */
export function countUnsettledByAge(db: Reader): Promise<UnsettledGroup[]> {
  return db.$queryRaw<UnsettledGroup[]>`
    SELECT o.code AS operator, w.state::text AS state, a.currency, w.result_code AS "resultCode",
      max(w.result_at) AS "lastResultAt", min(w.created_at) AS "oldestAt", sum(w.amount_micros)::text AS amount,
      count(*) FILTER (WHERE age < interval '1 minute')::integer AS minute,
      count(*) FILTER (WHERE age >= interval '1 minute' AND age < interval '10 minutes')::integer AS "tenMinutes",
      count(*) FILTER (WHERE age >= interval '10 minutes' AND age < interval '1 hour')::integer AS hour,
      count(*) FILTER (WHERE age >= interval '1 hour' AND age < interval '24 hours')::integer AS day,
      count(*) FILTER (WHERE age >= interval '24 hours')::integer AS older
    FROM (
      SELECT *, now() - created_at AS age
      FROM wallet_transactions
      WHERE state = 'pending'
      UNION ALL
      SELECT *, now() - created_at AS age
      FROM wallet_transactions
      WHERE state = 'parked'
    ) w
    CROSS JOIN LATERAL (SELECT account_id FROM rounds WHERE id = w.round_id LIMIT 1) r
    CROSS JOIN LATERAL (SELECT operator_id, currency FROM accounts WHERE id = r.account_id LIMIT 1) a
    JOIN operators o ON o.id = a.operator_id
    GROUP BY 1, 2, 3, 4
    ORDER BY 1, 2, 3, 4`;
}

export type StoredAlarm = {
  game: string;
  version: string;
  mode: string;
  currency: string;
  period: string;
  rounds: bigint;
  bets: string;
  payouts: string;
  raisedAt: Date;
};

/** Returns the newest alarms. */
export function listRtpAlarms(db: Reader, limit: number): Promise<StoredAlarm[]> {
  return db.$queryRaw<StoredAlarm[]>`
    SELECT g.code AS game, v.version, a.mode, a.currency, a.period, a.rounds, a.bets::text, a.payouts::text,
      a.raised_at AS "raisedAt"
    FROM rtp_alarms a
    JOIN game_versions v ON v.id = a.game_version_id
    JOIN games g ON g.id = v.game_id
    ORDER BY a.raised_at DESC, g.code, v.version, a.mode, a.currency, a.period LIMIT ${limit}`;
}
