import type { CurrencyCode, Micros } from '@roundhouse/contract';
import type { Database } from '../database/database.ts';
import { DISORDER_MS, endOfRoundsBefore, lowestRoundSince } from '../database/idsOfTime.ts';
import {
  column,
  micros,
  microsOrNull,
  nullableMicros,
  type RecordOf,
  type RowOf,
  rowShape,
} from '../database/rowShape.ts';
import { Prisma } from '../generated/client.ts';
import { type AccountLimits, LIMITS, limitsOf } from '../rounds/accountLimits.ts';
import type { SessionState } from '../rounds/roundContext.ts';

export type PlayerRow = {
  rowID: bigint;
  operator: string;
  playerID: string;
  country: string | null;
  createdAt: Date;
  loginExpiresAt: Date | null;
  currencies: string[];
};

export type PlayersWanted = {
  /** Without one, the players of all operators are listed. */
  operatorID: number | undefined;
  /** Begins the name of each player. */
  prefix: string;
  /** The page before ended with this player. */
  after: bigint | undefined;
  limit: number;
};

/** Any text that begins with a prefix is below the prefix with this behind it. */
export const LAST_CHARACTER = '\u{10FFFF}';

const PLAYER_COLUMNS = Prisma.sql`p.id AS "rowID", o.code AS operator, p.external_id AS "playerID", p.country,
  p.created_at AS "createdAt", p.login_expires_at AS "loginExpiresAt",
  ARRAY(SELECT currency FROM accounts WHERE player_id = p.id ORDER BY currency) AS currencies`;

/**
 * Reads a page of players in the order of their names, with one row more than the limit when there
 * is another page. The index begins with the operator: a page reads at most that number of rows of
 * each operator.
 */
export function listPlayers(db: Database, { operatorID, prefix, after, limit }: PlayersWanted): Promise<PlayerRow[]> {
  const ofOperator = operatorID === undefined ? Prisma.empty : Prisma.sql`WHERE id = ${operatorID}`;
  const later =
    after === undefined
      ? Prisma.empty
      : Prisma.sql`AND (external_id, operator_id) > (SELECT external_id, operator_id FROM players WHERE id = ${after})`;
  return db.$queryRaw<PlayerRow[]>`
    SELECT ${PLAYER_COLUMNS}
    FROM (SELECT id, code FROM operators ${ofOperator}) o
    CROSS JOIN LATERAL (
      SELECT *
      FROM players
      WHERE operator_id = o.id AND external_id >= ${prefix} AND external_id <= ${prefix + LAST_CHARACTER} ${later}
      ORDER BY operator_id, external_id LIMIT ${limit + 1}
    ) p
    ORDER BY p.external_id, p.operator_id LIMIT ${limit + 1}`;
}

export type PlayerName = { operatorID: number; externalID: string };

export async function findPlayer(db: Database, { operatorID, externalID }: PlayerName): Promise<PlayerRow | undefined> {
  const [row] = await db.$queryRaw<PlayerRow[]>`
    SELECT ${PLAYER_COLUMNS}
    FROM players p
    JOIN operators o ON o.id = p.operator_id
    WHERE p.operator_id = ${operatorID} AND p.external_id = ${externalID}`;
  return row;
}

const ACCOUNT = rowShape({
  currency: column<CurrencyCode>('a.currency'),
  /** null where the operator keeps the money. */
  balance: nullableMicros('a.balance_micros'),
  /** Sums of today (UTC). */
  wageredToday: micros('of_today(a.counted_on, t.today, a.wagered_today_micros)'),
  wonToday: micros('of_today(a.counted_on, t.today, a.won_today_micros)'),
  activeAt: column<Date | null>('a.active_at'),
});
const ACCOUNT_WITH_LIMITS = rowShape({ ...ACCOUNT.members, ...LIMITS.members });

/**
 * `dailyWager` and `dailyLoss` are limits of the player, and `operator` has those of the operator.
 */
export type AccountFacts = RecordOf<typeof ACCOUNT> & AccountLimits['player'] & Pick<AccountLimits, 'operator'>;

/** Reads the accounts of a player, in the order of their currencies. */
export async function listAccounts(db: Database, playerRowID: bigint): Promise<AccountFacts[]> {
  const rows = await db.$queryRaw<RowOf<typeof ACCOUNT_WITH_LIMITS>[]>`
    SELECT ${Prisma.raw(ACCOUNT_WITH_LIMITS.columns)}
    FROM accounts a
    CROSS JOIN (SELECT (now() AT TIME ZONE 'UTC')::date AS today) t
    LEFT JOIN operator_limits l ON l.operator_id = a.operator_id AND l.currency = a.currency
    WHERE a.player_id = ${playerRowID} ORDER BY a.currency`;
  return rows.map((row) => {
    const { operator, player } = limitsOf(LIMITS.read(row));
    return { ...ACCOUNT.read(row), ...player, operator };
  });
}

/** No column has the token of the session. */
export type PlayerSessionRow = {
  rowID: bigint;
  gameID: string;
  gameVersion: string;
  currency: string;
  country: string | null;
  state: SessionState | 'expired';
  createdAt: Date;
  expiresAt: Date;
  lastActiveAt: Date;
  maxStake: Micros | null;
};

/** Reads a page, the newest first, with one row more than the limit when there is another page. */
export async function listPlayerSessions(
  db: Database,
  { playerRowID, before, limit }: { playerRowID: bigint; before: bigint | undefined; limit: number },
): Promise<PlayerSessionRow[]> {
  const rows = await db.$queryRaw<(Omit<PlayerSessionRow, 'maxStake'> & { maxStake: bigint | null })[]>`
    SELECT s.id AS "rowID", g.code AS "gameID", v.version AS "gameVersion", a.currency,
      coalesce(s.country, a.country) AS country,
      CASE WHEN s.state <> 'revoked' AND s.expires_at <= now() THEN 'expired' ELSE s.state::text END AS state,
      s.created_at AS "createdAt", s.expires_at AS "expiresAt",
      CASE WHEN a.active_session_id = s.id THEN a.active_at ELSE s.last_active_at END AS "lastActiveAt",
      least(s.max_stake_micros, s.verified_max_stake_micros) AS "maxStake"
    FROM (
      SELECT *
      FROM sessions
      WHERE player_id = ${playerRowID} ${before === undefined ? Prisma.empty : Prisma.sql`AND id < ${before}`}
      ORDER BY player_id DESC, id DESC LIMIT ${limit + 1}
    ) s
    CROSS JOIN LATERAL (SELECT * FROM accounts WHERE id = s.account_id LIMIT 1) a
    CROSS JOIN LATERAL (SELECT * FROM game_versions WHERE id = s.game_version_id LIMIT 1) v
    CROSS JOIN LATERAL (SELECT * FROM games WHERE id = v.game_id LIMIT 1) g
    ORDER BY s.id DESC`;
  return rows.map(({ maxStake, ...row }) => ({ ...row, maxStake: microsOrNull(maxStake) }));
}

/** The player counts no further: the page shows that there are more. */
const MOST_COUNTED = 1000;

/** Counts the newest sessions of a player in which they can play now, of at most a thousand. */
export async function countOpenSessions(db: Database, playerRowID: bigint): Promise<number> {
  const [row] = await db.$queryRaw<{ count: bigint }[]>`
    SELECT count(*) FILTER (WHERE state <> 'revoked' AND expires_at > now())
    FROM (
      SELECT state, expires_at
      FROM sessions
      WHERE player_id = ${playerRowID}
      ORDER BY player_id DESC, id DESC LIMIT ${MOST_COUNTED}
    ) newest`;
  return Number(row?.count);
}

export type DayOfPlayer = { day: string; currency: string; rounds: number; bets: bigint; payouts: bigint };

/** The largest number of rounds in a net position: it reads each of them. */
export const MOST_ROUNDS_OF_NET_POSITION = 100_000;

/**
 * Sums the rounds of a player that were opened from `from` on and before `to`, by day (UTC) and
 * currency, without void ones. A free round costs nothing; an open one pays nothing yet. Returns
 * undefined when there are more rounds than it may read.
 */
export async function readNetPosition(
  db: Database,
  { playerRowID, from, to }: { playerRowID: bigint; from: Date; to: Date },
  most = MOST_ROUNDS_OF_NET_POSITION,
): Promise<DayOfPlayer[] | undefined> {
  const [low, high] = await Promise.all([
    lowestRoundSince(db, new Date(from.getTime() - DISORDER_MS)),
    endOfRoundsBefore(db, new Date(to.getTime() + DISORDER_MS)),
  ]);
  type Row = { total: bigint; day: string | null; currency: string; rounds: number; bets: string; payouts: string };
  const rows = await db.$queryRaw<Row[]>`
    WITH own AS MATERIALIZED (
      SELECT a.currency, r.opened_at, r.ended_at, r.debit_micros, r.payout_micros, r.grant_id, r.wallet_state
      FROM accounts a
      CROSS JOIN games g
      CROSS JOIN LATERAL (
        SELECT *
        FROM all_rounds r
        WHERE r.account_id = a.id AND r.game_id = g.id AND r.id >= ${low} AND r.id < ${high}
        ORDER BY r.account_id DESC, r.game_id DESC, r.id DESC LIMIT ${most + 1}
      ) r
      WHERE a.player_id = ${playerRowID}
      LIMIT ${most + 1}
    )
    SELECT t.total, d.*
    FROM (SELECT count(*) AS total FROM own) t
    LEFT JOIN (
      SELECT to_char(opened_at AT TIME ZONE 'UTC', 'YYYY-MM-DD') AS day, currency, count(*)::integer AS rounds,
        coalesce(sum(debit_micros) FILTER (WHERE grant_id IS NULL), 0)::text AS bets,
        coalesce(sum(payout_micros) FILTER (WHERE ended_at IS NOT NULL), 0)::text AS payouts
      FROM own
      WHERE opened_at >= ${from} AND opened_at < ${to} AND wallet_state IS DISTINCT FROM 'void'
      GROUP BY 1, 2
    ) d ON true
    ORDER BY d.day, d.currency`;
  if (rows.some(({ total }) => total > most)) return undefined;
  return rows.flatMap(({ day, currency, rounds, bets, payouts }) =>
    day === null ? [] : [{ day, currency, rounds, bets: BigInt(bets), payouts: BigInt(payouts) }],
  );
}
