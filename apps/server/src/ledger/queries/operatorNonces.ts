import type { Database } from '../database.ts';

/**
 * Marks the nonce of a call as used, on every node; false when it was used before. It is kept for fifteen minutes: a call may be signed
 * up to five minutes ahead and is good for five minutes after, and the clocks of nodes differ. Each call deletes up to ten that have
 * expired, so the table holds the calls of a quarter of an hour.
 */
export async function takeNonce(
  db: Database,
  { operatorID, nonce }: { operatorID: number; nonce: string },
): Promise<boolean> {
  const inserted = await db.$executeRaw`
    WITH expired AS (
      DELETE FROM operator_nonces n USING (
        SELECT operator_id, nonce FROM operator_nonces WHERE expires_at <= now()
        ORDER BY expires_at LIMIT 10 FOR UPDATE SKIP LOCKED
      ) old
      WHERE n.operator_id = old.operator_id AND n.nonce = old.nonce
    )
    INSERT INTO operator_nonces (operator_id, nonce, expires_at)
    VALUES (${operatorID}, ${nonce}, now() + interval '15 minutes') ON CONFLICT DO NOTHING`;
  return inserted === 1;
}
