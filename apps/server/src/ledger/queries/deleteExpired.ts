import type { Database } from '../database.ts';

/**
 * Deletes sessions and launches that expired longer ago than `retentionMs`, at most `limit` of each. True when there may be more. Rows
 * that another node is deleting are left to it. Rounds keep the number of their session, and no number is given twice.
 */
export async function deleteExpired(
  db: Database,
  { retentionMs, limit }: { retentionMs: number; limit: number },
): Promise<boolean> {
  const sessions = await db.$executeRaw`
    WITH expired AS MATERIALIZED (
      SELECT id FROM sessions WHERE expires_at < now() - ${retentionMs} * interval '1 millisecond'
      ORDER BY expires_at LIMIT ${limit} FOR UPDATE SKIP LOCKED
    )
    DELETE FROM sessions s USING expired WHERE s.id = expired.id`;
  const launches = await db.$executeRaw`
    WITH expired AS MATERIALIZED (
      SELECT token_sha256 FROM launches WHERE expires_at < now() - ${retentionMs} * interval '1 millisecond'
      ORDER BY expires_at LIMIT ${limit} FOR UPDATE SKIP LOCKED
    )
    DELETE FROM launches l USING expired WHERE l.token_sha256 = expired.token_sha256`;
  return sessions === limit || launches === limit;
}
