import type { Database } from '../database/database.ts';

/** The W3C traceparent of the play that opened the round. */
export type RoundTrace = { roundID: bigint; traceparent: string };

export async function addRoundTraces(db: Database, traces: readonly RoundTrace[]): Promise<void> {
  const roundIDs = traces.map(({ roundID }) => roundID);
  const traceparents = traces.map(({ traceparent }) => traceparent);
  await db.$executeRaw`
    INSERT INTO round_traces (round_id, traceparent)
    SELECT *
    FROM unnest(${roundIDs}::bigint[], ${traceparents}::text[])
    ON CONFLICT DO NOTHING`;
}

export async function findRoundTrace(db: Database, roundID: bigint): Promise<string | undefined> {
  const [row] = await db.$queryRaw<{ traceparent: string }[]>`
    SELECT traceparent FROM round_traces WHERE round_id = ${roundID}`;
  return row?.traceparent;
}

/**
 * Deletes traces after a week: no wallet transaction is retried for longer. Returns whether there
 * may be more.
 */
export async function deleteOldRoundTraces(db: Database, { limit }: { limit: number }): Promise<boolean> {
  const deleted = await db.$executeRaw`
    WITH old AS MATERIALIZED (
      SELECT round_id
      FROM round_traces
      WHERE created_at < now() - interval '7 days'
      ORDER BY created_at LIMIT ${limit} FOR UPDATE SKIP LOCKED
    )
    DELETE FROM round_traces t USING old WHERE t.round_id = old.round_id`;
  return deleted === limit;
}
