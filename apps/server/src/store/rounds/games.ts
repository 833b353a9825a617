import type { BetConfig, BetLimits, CurrencyCode, Draws, PartialJurisdiction } from '@roundhouse/contract';
import type { PayoutMoments, TableCommitment } from '@roundhouse/math';
import type { Database } from '../database/database.ts';
import { Prisma } from '../generated/client.ts';
import { giveReason } from '../watch/significantEvents.ts';
import { drawKindOf } from './draws.ts';

export type PublishedVersion = {
  gameID: string;
  version: string;
  title: string;
  mathSha256: string;
  currencies: CurrencyCode[];
  jurisdiction: PartialJurisdiction;
  draws?: Draws | undefined;
  betLimits: BetLimitsByCurrency;
  modeReturns: ModeReturns;
  tables?: readonly PublishedTable[];
};

/** A lookup table returns this for its mode, and is committed to. cost is exact decimal text. */
type PublishedTable = {
  mode: string;
  cost: string;
  moments: PayoutMoments;
  commitment: Pick<TableCommitment, 'sha256' | 'root'>;
};

/** A mode has one entry. rtp: 0.965 is 96.5 %. feature: a bought feature. */
export type ModeReturns = Record<string, { rtp: number; feature: boolean }>;

/** `default` holds for every currency of the version without limits. */
type BetLimitsByCurrency = Readonly<Record<string, BetLimits & Pick<BetConfig, 'betLevels'>>>;

export type PublishOutcome =
  | { ok: true }
  | { ok: false; publishedSha256: string }
  /**
   * The files are the same, but a lookup table has other sums or commitments than the stored ones.
   */
  | { ok: false; changedMode: string };

/**
 * Publishes a game version, or confirms that it is the one that was published: published math is
 * immutable, so the same version with other files is refused. Its description may change.
 */
export async function publishGame(db: Database, published: PublishedVersion): Promise<PublishOutcome> {
  const {
    gameID,
    version,
    title,
    mathSha256,
    currencies,
    jurisdiction,
    draws,
    betLimits,
    modeReturns,
    tables = [],
  } = published;
  // Several nodes may start at once: Prisma's upsert reads and then inserts, this is one ON
  // CONFLICT DO NOTHING.
  await db.game.createMany({ data: { code: gameID }, skipDuplicates: true });
  const game = await db.game.findUniqueOrThrow({ where: { code: gameID } });
  const description = { title, currencies, jurisdiction, draws: drawKindOf(draws), betLimits, modeReturns };
  await db.gameVersion.createMany({
    data: { gameId: game.id, version, mathSha256, ...description },
    skipDuplicates: true,
  });
  const { count } = await db.gameVersion.updateMany({
    where: { gameId: game.id, version, mathSha256 },
    data: description,
  });
  const known = await db.gameVersion.findUniqueOrThrow({ where: { gameId_version: { gameId: game.id, version } } });
  if (count !== 1) return { ok: false, publishedSha256: known.mathSha256 };
  for (const table of tables) {
    if (!(await publishTable(db, known.id, table))) return { ok: false, changedMode: table.mode };
  }
  return { ok: true };
}

/**
 * Stores the sums of a table and what commits to it, or confirms what is stored. Returns false when
 * they differ. A version of an earlier release gets its commitments now.
 */
async function publishTable(
  db: Database,
  gameVersionID: number,
  { mode, cost, moments, commitment: { sha256, root } }: PublishedTable,
): Promise<boolean> {
  const { totalWeight, hitWeight, sum, sumOfSquares, sumOfCubes, max } = moments;
  const exact = [cost, totalWeight, hitWeight, sum, sumOfSquares, sumOfCubes, max];
  const values = Prisma.join([...exact.map((value) => Prisma.sql`${`${value}`}::numeric`), sha256, root]);
  await db.$executeRaw`
    INSERT INTO game_modes AS known (game_version_id, mode, cost_multiplier, total_weight, hit_weight,
      payout_sum, payout_squares, payout_cubes, max_payout, table_sha256, merkle_root)
    VALUES (${gameVersionID}, ${mode}, ${values})
    ON CONFLICT (game_version_id, mode) DO UPDATE SET
      table_sha256 = coalesce(known.table_sha256, excluded.table_sha256),
      merkle_root = coalesce(known.merkle_root, excluded.merkle_root)
    WHERE known.table_sha256 IS NULL OR known.merkle_root IS NULL`;
  const same = await db.$queryRaw<object[]>`
    SELECT 1 AS same
    FROM game_modes
    WHERE game_version_id = ${gameVersionID} AND mode = ${mode}
      AND (cost_multiplier, total_weight, hit_weight, payout_sum, payout_squares, payout_cubes, max_payout::numeric,
        table_sha256, merkle_root) = (${values})`;
  return same.length === 1;
}

export type StoredVersion = {
  gameID: string;
  version: string;
  title: string;
  /** A node loaded it for the first time then. */
  publishedAt: Date;
  /** The version takes no new rounds from then on, for good; null: no end is known. */
  withdrawnAt: Date | null;
  isWithdrawn: boolean;
  mathSha256: string;
  currencies: CurrencyCode[];
  /** Modes are in upper case. The list is empty until a node has loaded the version. */
  modes: string[];
  openRounds: number;
};

/**
 * Returns every published version, the newest last. Rounds are pinned to their version, so a node
 * reopens those on its disk.
 */
export function listPublishedVersions(db: Database): Promise<StoredVersion[]> {
  return db.$queryRaw<StoredVersion[]>`
    SELECT g.code AS "gameID", v.version, v.title, v.published_at AS "publishedAt", v.withdrawn_at AS "withdrawnAt",
      coalesce(v.withdrawn_at <= now(), false) AS "isWithdrawn", v.math_sha256 AS "mathSha256", v.currencies,
      ARRAY(SELECT mode FROM game_modes WHERE game_version_id = v.id ORDER BY mode) AS modes,
      coalesce(open.count, 0)::integer AS "openRounds"
    FROM game_versions v
    JOIN games g ON g.id = v.game_id
    LEFT JOIN (
      SELECT r.game_version_id, count(*) AS count
      FROM rounds r
      WHERE r.ended_at IS NULL
      GROUP BY r.game_version_id
    ) open ON open.game_version_id = v.id
    ORDER BY v.id`;
}

type Version = { gameID: string; version: string };

/**
 * Withdraws a version now or, with `at`, then. The first of several times counts. Returns undefined
 * when there is no such version.
 */
export async function withdrawVersion(
  db: Database,
  { gameID, version, at = null, reason }: Version & { at?: Date | null | undefined; reason?: string | undefined },
): Promise<{ withdrawnAt: Date } | undefined> {
  return db.$transaction(async (tx) => {
    if (reason !== undefined) await giveReason(tx, reason);
    const [stored] = await tx.$queryRaw<{ withdrawnAt: Date }[]>`
      UPDATE game_versions v
      SET withdrawn_at = least(v.withdrawn_at, greatest(${at}::timestamptz, now()))
      FROM games g
      WHERE g.id = v.game_id AND g.code = ${gameID} AND v.version = ${version}
      RETURNING v.withdrawn_at AS "withdrawnAt"`;
    return stored;
  });
}

/** Takes a withdrawal back. Returns false when there is no such version. */
export async function reinstateVersion(db: Database, { gameID, version }: Version): Promise<boolean> {
  const where = { version, game: { code: gameID } };
  const { count } = await db.gameVersion.updateMany({ where, data: { withdrawnAt: null } });
  return count > 0;
}

export function listWithdrawn(db: Database): Promise<Version[]> {
  return db.$queryRaw<Version[]>`
    SELECT g.code AS "gameID", v.version
    FROM game_versions v
    JOIN games g ON g.id = v.game_id
    WHERE v.withdrawn_at <= now()`;
}

/** The rules of free rounds read this of a version that takes new rounds. */
export type OfferedVersion = {
  gameRowID: number;
  gameID: string;
  version: string;
  currencies: CurrencyCode[];
  jurisdiction: PartialJurisdiction;
  betLimits: BetLimitsByCurrency;
  modeReturns: ModeReturns;
  /** A round of each mode pays at most this, in hundredths of its base bet. */
  maxPayouts: Record<string, bigint>;
};

/** Returns the versions of these games that are not withdrawn, the newest last. */
export async function findOfferedVersions(db: Database, gameIDs: readonly string[]): Promise<OfferedVersion[]> {
  const versions = await db.gameVersion.findMany({
    where: { game: { code: { in: [...gameIDs] } }, OR: [{ withdrawnAt: null }, { withdrawnAt: { gt: new Date() } }] },
    include: { game: true, modes: { select: { mode: true, maxPayout: true } } },
    orderBy: { id: 'asc' },
  });
  return versions.map(({ game, version, currencies, jurisdiction, betLimits, modeReturns, modes }) => ({
    gameRowID: game.id,
    gameID: game.code,
    version,
    currencies: currencies as CurrencyCode[],
    jurisdiction: jurisdiction as PartialJurisdiction,
    betLimits: betLimits as BetLimitsByCurrency,
    modeReturns: modeReturns as ModeReturns,
    maxPayouts: Object.fromEntries(modes.map(({ mode, maxPayout }) => [mode, maxPayout])),
  }));
}

/**
 * The cost of a mode in base bets, as decimal text, and its largest payout in hundredths of one.
 */
export type ModePrice = { cost: string; maxPayout: bigint };

/**
 * Returns the highest cost and payout of a mode in some games: of the versions that are not
 * withdrawn, or of all when all are. Undefined when no version has the mode.
 */
export async function findModePrice(
  db: Pick<Database, '$queryRaw'>,
  { gameIDs, mode }: { gameIDs: readonly string[]; mode: string },
): Promise<ModePrice | undefined> {
  const [price] = await db.$queryRaw<(ModePrice | { cost: null })[]>`
    SELECT coalesce(max(cost) FILTER (WHERE NOT is_withdrawn), max(cost))::text AS cost,
      coalesce(max(max_payout) FILTER (WHERE NOT is_withdrawn), max(max_payout)) AS "maxPayout"
    FROM (
      SELECT m.cost_multiplier AS cost, m.max_payout, coalesce(v.withdrawn_at <= now(), false) AS is_withdrawn
      FROM games g
      JOIN game_versions v ON v.game_id = g.id
      JOIN game_modes m ON m.game_version_id = v.id
      WHERE g.code = ANY (${[...gameIDs]}::text[]) AND m.mode = ${mode}
    ) m`;
  return price === undefined || price.cost === null ? undefined : (price as ModePrice);
}

type Offer = Record<'game' | 'operator', { currencies: readonly string[] }>;

/**
 * Returns whether the operator's players can play the game in the currency. An empty list allows
 * every currency.
 */
export function isCurrencyOffered(currency: CurrencyCode, { game, operator }: Offer): boolean {
  return [game, operator].every(({ currencies }) => currencies.length === 0 || currencies.includes(currency));
}
