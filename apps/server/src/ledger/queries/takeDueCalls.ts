import type { Database } from '../database.ts';

/** Transaction ids of credits and rollbacks that nobody has settled in time. Each is given to one taker, for as long as one attempt may last. */
export async function takeDueCalls(db: Database, limit: number): Promise<string[]> {
  const rows = await db.$queryRaw<
    { id: string }[]
  >`SELECT id::text FROM take_due_wallet_calls(${limit}::integer) AS id`;
  return rows.map(({ id }) => id);
}
