import type { CurrencyCode, PartialJurisdiction } from '@roundhouse/contract';
import type { Database } from '../database.ts';

export type PublishedVersion = {
  gameID: string;
  version: string;
  title: string;
  mathSha256: string;
  currencies: CurrencyCode[];
  jurisdiction: PartialJurisdiction;
};

export type PublishOutcome = { ok: true } | { ok: false; publishedSha256: string };

/**
 * Publishes a game version, or confirms that it is the one that was published: published math is
 * immutable, so the same version with other files is refused. Its description may change.
 */
export async function publishGame(db: Database, published: PublishedVersion): Promise<PublishOutcome> {
  const { gameID, version, title, mathSha256, currencies, jurisdiction } = published;
  // Several nodes may start at once: Prisma's upsert reads and then inserts, this is one ON
  // CONFLICT DO NOTHING.
  await db.game.createMany({ data: { code: gameID }, skipDuplicates: true });
  const game = await db.game.findUniqueOrThrow({ where: { code: gameID } });
  const description = { title, currencies, jurisdiction };
  await db.gameVersion.createMany({
    data: { gameId: game.id, version, mathSha256, ...description },
    skipDuplicates: true,
  });
  const { count } = await db.gameVersion.updateMany({
    where: { gameId: game.id, version, mathSha256 },
    data: description,
  });
  if (count === 1) return { ok: true };
  const earlier = await db.gameVersion.findUniqueOrThrow({ where: { gameId_version: { gameId: game.id, version } } });
  return { ok: false, publishedSha256: earlier.mathSha256 };
}

export type StoredVersion = {
  gameID: string;
  version: string;
  mathSha256: string;
  currencies: CurrencyCode[];
  openRounds: number;
};

/**
 * Every published version, the newest last. Rounds are pinned to their version, so a node reopens
 * those on its disk.
 */
export function listPublishedVersions(db: Database): Promise<StoredVersion[]> {
  return db.$queryRaw<StoredVersion[]>`
    SELECT g.code AS "gameID", v.version, v.math_sha256 AS "mathSha256", v.currencies, coalesce(open.count, 0)::integer AS "openRounds"
    FROM game_versions v
    JOIN games g ON g.id = v.game_id
    LEFT JOIN (
      SELECT r.game_version_id, count(*) AS count FROM rounds r WHERE r.closed_at IS NULL GROUP BY r.game_version_id
    ) open ON open.game_version_id = v.id
    ORDER BY v.id`;
}

type Offer = Record<'game' | 'operator', { currencies: readonly string[] }>;

/**
 * Whether the operator's players can play the game in the currency. An empty list allows every
 * currency.
 */
export function isCurrencyOffered(currency: CurrencyCode, { game, operator }: Offer): boolean {
  return [game, operator].every(({ currencies }) => currencies.length === 0 || currencies.includes(currency));
}
