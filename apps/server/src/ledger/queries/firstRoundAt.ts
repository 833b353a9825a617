import type { Database } from '../database.ts';

/**
 * The first id of a round that was opened at this instant or later; the one after the last when there is none, or without an
 * instant. Ids grow with time, so it is searched for by halves in the primary key, a few dozen steps in a table of any size.
 */
export async function firstRoundAt(db: Database, instant: Date | undefined): Promise<bigint> {
  const [row] =
    instant === undefined
      ? await db.$queryRaw<{ id: bigint }[]>`SELECT coalesce(max(id), 0) + 1 AS id FROM rounds`
      : await db.$queryRaw<{ id: bigint }[]>`
          WITH RECURSIVE search AS (
            SELECT 0::bigint AS too_early, (SELECT coalesce(max(id), 0) + 1 FROM rounds) AS late_enough
            UNION ALL
            SELECT CASE WHEN l.is_late THEN s.too_early ELSE m.id END, CASE WHEN l.is_late THEN m.id ELSE s.late_enough END
            FROM search s
            CROSS JOIN LATERAL (SELECT (s.too_early + s.late_enough) / 2 AS id) m
            CROSS JOIN LATERAL (
              SELECT coalesce((SELECT r.opened_at FROM rounds r WHERE r.id >= m.id ORDER BY r.id LIMIT 1) >= ${instant}, true) AS is_late
            ) l
            WHERE s.late_enough - s.too_early > 1
          )
          SELECT min(late_enough) AS id FROM search`;
  if (row === undefined) throw new Error('the database answered nothing');
  return row.id;
}
