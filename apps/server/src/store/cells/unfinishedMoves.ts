import type { Database } from '../database/database.ts';

/**
 * The number of an operator's players who are on their way between two cells, by the first numbers
 * of these.
 */
export type UnfinishedMoves = { operator: string; source: number; target: number; players: number };

/**
 * Counts the moves that have not ended, or have ended since then: two cells that are read one after
 * the other may both show the rows of such a player, or neither.
 */
export async function countUnfinishedMoves(
  db: Pick<Database, '$queryRaw'>,
  since: Date | undefined,
): Promise<UnfinishedMoves[]> {
  return db.$queryRaw<UnfinishedMoves[]>`
    SELECT o.code AS operator, m.source, m.target, count(DISTINCT m.external_id)::integer AS players
    FROM cell_moves m
    JOIN operators o ON o.id = m.operator_id
    WHERE m.state IN ('closed', 'staged', 'switched')
      OR (m.state = 'finished' AND m.changed_at >= ${since ?? null}::timestamptz)
    GROUP BY o.code, m.source, m.target
    ORDER BY o.code, m.source, m.target`;
}
