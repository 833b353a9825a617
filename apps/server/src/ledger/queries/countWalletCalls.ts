import type { Database } from '../database.ts';

export type WalletCallCount = { operator: string; kind: string; state: 'pending' | 'parked'; count: number };

/** Movements that are not settled, by operator, kind and state. */
export function countWalletCalls(db: Database): Promise<WalletCallCount[]> {
  return db.$queryRaw<WalletCallCount[]>`
    SELECT o.code AS operator, w.kind::text AS kind, w.state::text AS state, count(*)::integer AS count
    FROM wallet_calls w
    JOIN rounds r ON r.id = w.round_id
    JOIN accounts a ON a.id = r.account_id
    JOIN operators o ON o.id = a.operator_id
    WHERE w.state IN ('pending', 'parked')
    GROUP BY 1, 2, 3`;
}
