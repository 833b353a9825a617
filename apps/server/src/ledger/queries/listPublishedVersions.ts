import type { CurrencyCode } from '@roundhouse/contract';
import type { Database } from '../database.ts';

export type StoredVersion = {
  gameID: string;
  version: string;
  mathSha256: string;
  currencies: CurrencyCode[];
  openRounds: number;
};

/** Every version ever published, the newest last. Rounds are pinned to theirs, so a node reopens what it still has on disk. */
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
