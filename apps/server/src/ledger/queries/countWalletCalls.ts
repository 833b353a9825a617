import type { Database } from '../database.ts';

export type WalletCallCount = { operator: string; kind: string; state: 'pending' | 'parked'; count: number };

/** Movements that are not settled, by operator, kind and state. Each state by its own index: the settled ones are never looked at. */
export function countWalletCalls(db: Database): Promise<WalletCallCount[]> {
  return db.$queryRaw<WalletCallCount[]>`
    SELECT o.code AS operator, w.kind::text AS kind, w.state::text AS state, count(*)::integer AS count
    FROM (
      SELECT round_id, kind, state FROM wallet_calls WHERE state = 'pending'
      UNION ALL
      SELECT round_id, kind, state FROM wallet_calls WHERE state = 'parked'
    ) w
    JOIN rounds r ON r.id = w.round_id
    JOIN accounts a ON a.id = r.account_id
    JOIN operators o ON o.id = a.operator_id
    GROUP BY 1, 2, 3`;
}
