import type { PayoutMoments } from '@roundhouse/math';
import type { Database } from '../database/database.ts';
import { Prisma } from '../generated/client.ts';
import type { ModeReturns, PublishedVersion } from '../rounds/games.ts';
import type { MaintenanceLevel } from '../rounds/maintenance.ts';

/** Sums of a currency are exact: rounds, and micros. */
type CurrencySums = { currency: string; rounds: bigint; bets: bigint; payouts: bigint };

export type GameRow = {
  gameRowID: number;
  gameID: string;
  /** Title, version and time are those of the newest version. */
  title: string;
  version: string;
  publishedAt: Date;
  versions: number;
  isWithdrawn: boolean;
  maintenance: MaintenanceLevel | null;
  today: CurrencySums[];
};

type PageOptions = { operatorID?: number | undefined; before?: bigint | undefined; limit: number };

/**
 * Reads one game more than `limit`, the newest first, with the totals of the current day of UTC: of
 * all operators, or of one.
 */
export async function listGamePage(db: Database, { operatorID, before, limit }: PageOptions): Promise<GameRow[]> {
  const games = await db.$queryRaw<Omit<GameRow, 'today'>[]>`
    SELECT g.id AS "gameRowID", g.code AS "gameID", newest.title, newest.version, newest.published_at AS "publishedAt",
      counted.versions, counted.available = 0 AS "isWithdrawn", m.level::text AS maintenance
    FROM games g
    JOIN LATERAL (
      SELECT v.title, v.version, v.published_at
      FROM game_versions v
      WHERE v.game_id = g.id
      ORDER BY v.id DESC LIMIT 1
    ) newest ON true
    JOIN LATERAL (
      SELECT count(*)::integer AS versions,
        count(*) FILTER (WHERE v.withdrawn_at IS NULL OR v.withdrawn_at > now()) AS available
      FROM game_versions v
      WHERE v.game_id = g.id
    ) counted ON true
    LEFT JOIN maintenance m ON m.scope = 'game' AND m.target = g.code AND m.version = '' AND m.mode = ''
    WHERE ${before === undefined ? Prisma.sql`true` : Prisma.sql`g.id < ${before}`}
    ORDER BY g.id DESC LIMIT ${limit + 1}`;
  const sums = await readToday(db, { gameRowIDs: games.map(({ gameRowID }) => gameRowID), operatorID });
  return games.map((game) => ({ ...game, today: sums.get(game.gameRowID) ?? [] }));
}

type TodayRow = { gameRowID: number; currency: string } & Record<'rounds' | 'bets' | 'payouts', string>;
type TodayOptions = { gameRowIDs: number[]; operatorID: number | undefined };

async function readToday(db: Database, { gameRowIDs, operatorID }: TodayOptions): Promise<Map<number, CurrencySums[]>> {
  const ofOperator = operatorID === undefined ? Prisma.sql`true` : Prisma.sql`t.operator_id = ${operatorID}`;
  const rows = await db.$queryRaw<TodayRow[]>`
    SELECT v.game_id AS "gameRowID", t.currency, sum(t.rounds)::text AS rounds, sum(t.bets)::text AS bets,
      sum(t.payouts)::text AS payouts
    FROM current_game_totals t
    JOIN game_versions v ON v.id = t.game_version_id
    WHERE t.day = (now() AT TIME ZONE 'UTC')::date AND v.game_id = ANY (${gameRowIDs}::integer[]) AND ${ofOperator}
    GROUP BY v.game_id, t.currency
    HAVING sum(t.rounds) > 0
    ORDER BY v.game_id, t.currency`;
  const sums = new Map<number, CurrencySums[]>();
  for (const { gameRowID, currency, rounds, bets, payouts } of rows) {
    const row = { currency, rounds: BigInt(rounds), bets: BigInt(bets), payouts: BigInt(payouts) };
    sums.set(gameRowID, [...(sums.get(gameRowID) ?? []), row]);
  }
  return sums;
}

export type VersionMode = { mode: string; cost: string; moments: PayoutMoments };

export type VersionRow = {
  gameVersionID: number;
  version: string;
  title: string;
  publishedAt: Date;
  withdrawnAt: Date | null;
  mathSha256: string;
  currencies: string[];
  modeReturns: ModeReturns;
  betLimits: PublishedVersion['betLimits'];
  modes: VersionMode[];
  openRounds: number;
};

export type GameDetail = {
  gameRowID: number;
  /** The newest first. */
  versions: VersionRow[];
};

type GameOptions = { gameID: string; operatorID?: number | undefined };

/**
 * Returns undefined when there is no such game. Open rounds are those at the operator, when one is
 * given.
 */
export async function findGameDetail(
  db: Database,
  { gameID, operatorID }: GameOptions,
): Promise<GameDetail | undefined> {
  const game = await db.game.findUnique({
    where: { code: gameID },
    include: { versions: { orderBy: { id: 'desc' }, include: { modes: { orderBy: { mode: 'asc' } } } } },
  });
  if (game === null) return undefined;
  const open = await countOpenRounds(db, { gameRowID: game.id, operatorID });
  const versions = game.versions.map(({ id, modes, ...version }) => ({
    gameVersionID: id,
    version: version.version,
    title: version.title,
    publishedAt: version.publishedAt,
    withdrawnAt: version.withdrawnAt,
    mathSha256: version.mathSha256,
    currencies: version.currencies,
    modeReturns: version.modeReturns as ModeReturns,
    betLimits: version.betLimits as PublishedVersion['betLimits'],
    modes: modes.map(modeOf),
    openRounds: open.get(id) ?? 0,
  }));
  return { gameRowID: game.id, versions };
}

type ModeKey = { gameID: string; version: string; mode: string };

/** Returns undefined when there is no such version. A mode without a stored table has none. */
export async function findVersionMode(
  db: Database,
  { gameID, version, mode }: ModeKey,
): Promise<{ gameVersionID: number; table: VersionMode | undefined } | undefined> {
  const stored = await db.gameVersion.findFirst({
    where: { version, game: { code: gameID } },
    select: { id: true, modes: { where: { mode } } },
  });
  return stored === null ? undefined : { gameVersionID: stored.id, table: stored.modes.map(modeOf)[0] };
}

type Table = { mode: string; costMultiplier: Prisma.Decimal; maxPayout: bigint } & Record<
  'totalWeight' | 'hitWeight' | 'payoutSum' | 'payoutSquares' | 'payoutCubes',
  Prisma.Decimal
>;

function modeOf({ mode, costMultiplier, ...table }: Table): VersionMode {
  const { totalWeight, hitWeight, payoutSum, payoutSquares, payoutCubes, maxPayout } = table;
  const moments = {
    totalWeight: BigInt(totalWeight.toFixed()),
    hitWeight: BigInt(hitWeight.toFixed()),
    sum: BigInt(payoutSum.toFixed()),
    sumOfSquares: BigInt(payoutSquares.toFixed()),
    sumOfCubes: BigInt(payoutCubes.toFixed()),
    max: maxPayout,
  };
  return { mode, cost: costMultiplier.toFixed(), moments };
}

type OpenOptions = { gameRowID: number; operatorID: number | undefined };

/** Reads the open rounds of the game alone: their index has no others. */
async function countOpenRounds(db: Database, { gameRowID, operatorID }: OpenOptions): Promise<Map<number, number>> {
  const ofOperator =
    operatorID === undefined
      ? Prisma.sql`true`
      : Prisma.sql`(SELECT a.operator_id FROM accounts a WHERE a.id = r.account_id) = ${operatorID}`;
  const rows = await db.$queryRaw<{ gameVersionID: number; count: number }[]>`
    SELECT r.game_version_id AS "gameVersionID", count(*)::integer AS count
    FROM rounds r
    WHERE r.ended_at IS NULL AND r.game_id = ${gameRowID} AND ${ofOperator}
    GROUP BY r.game_version_id`;
  return new Map(rows.map(({ gameVersionID, count }) => [gameVersionID, count]));
}

export type LargeWinRow = {
  betID: bigint;
  operator: string;
  playerID: string;
  version: string;
  mode: string;
  currency: string;
  betMicros: bigint;
  payoutMicros: bigint;
  at: Date;
};

/** The number of newest events `large_win` that are looked at, of whichever game. */
export const LARGE_WIN_EVENTS = 500;
const WINS_OF_A_CURRENCY = 10;

/**
 * Reads the greatest wins of a game among the newest significant events `large_win`, at most ten of
 * each currency. rounds has no index by payout, because each play would pay for it.
 */
export function listLargestWins(db: Database, { gameRowID, operatorID }: OpenOptions): Promise<LargeWinRow[]> {
  const ofOperator = operatorID === undefined ? Prisma.sql`true` : Prisma.sql`a.operator_id = ${operatorID}`;
  return db.$queryRaw<LargeWinRow[]>`
    WITH newest AS MATERIALIZED (
      SELECT substr(subject, 7)::bigint AS round_id
      FROM significant_events
      WHERE kind = 'large_win'
      ORDER BY seq DESC LIMIT ${LARGE_WIN_EVENTS}
    ), win AS (
      SELECT r.id AS "betID", o.code AS operator, p.external_id AS "playerID", v.version, r.mode, a.currency,
        r.debit_micros AS "betMicros", r.payout_micros AS "payoutMicros", r.opened_at AS at,
        row_number() OVER (PARTITION BY a.currency ORDER BY r.payout_micros DESC, r.id DESC) AS place
      FROM newest e
      -- OFFSET 0 keeps the planner from joins that read every round, account and player.
      JOIN LATERAL (SELECT * FROM all_rounds WHERE id = e.round_id OFFSET 0) r ON true
      JOIN game_versions v ON v.id = r.game_version_id
      JOIN LATERAL (SELECT currency, operator_id FROM accounts WHERE id = r.account_id OFFSET 0) a ON true
      JOIN LATERAL (SELECT external_id FROM players WHERE id = r.player_id OFFSET 0) p ON true
      JOIN operators o ON o.id = a.operator_id
      WHERE r.game_id = ${gameRowID} AND r.wallet_state IS DISTINCT FROM 'void' AND ${ofOperator}
    )
    SELECT "betID", operator, "playerID", version, mode, currency, "betMicros", "payoutMicros", at
    FROM win
    WHERE place <= ${WINS_OF_A_CURRENCY}
    ORDER BY currency, place`;
}
