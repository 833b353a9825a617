import type { Database } from '../database.ts';

/** Returns about how many rows a table has, as its last vacuum or analysis saw them. */
export async function estimateRows(db: Pick<Database, '$queryRaw'>, table: string): Promise<number | undefined> {
  const [row] = await db.$queryRaw<{ rows: number }[]>`
    SELECT reltuples::float8 AS rows FROM pg_class WHERE oid = to_regclass(${table})`;
  return row === undefined || row.rows < 0 ? undefined : row.rows;
}
