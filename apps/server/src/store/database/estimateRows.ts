import type { Database } from './database.ts';

/**
 * Returns about how many rows these tables have together, as the last vacuum or analysis saw them;
 * undefined when there was none.
 */
export async function estimateRows(
  db: Pick<Database, '$queryRaw'>,
  tables: readonly string[],
): Promise<number | undefined> {
  const [row] = await db.$queryRaw<{ rows: number | null; known: boolean | null }[]>`
    SELECT sum(greatest(reltuples, 0))::float8 AS rows, bool_or(reltuples >= 0) AS known
    FROM pg_class
    WHERE oid = ANY (${[...tables]}::text[]::regclass[])`;
  return row?.known ? (row.rows ?? undefined) : undefined;
}
