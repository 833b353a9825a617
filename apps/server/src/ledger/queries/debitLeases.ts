import type { Database } from '../database.ts';

/** Leases these debits to their node for another while, as far as they are pending. */
export async function renewDebitLeases(db: Database, debitIDs: readonly string[]): Promise<void> {
  await db.leases.query('SELECT renew_debit_leases($1::uuid[])', [debitIDs]);
}

/** Transaction ids of debits whose node has not renewed its lease. Each is given to one taker, for another lease. */
export async function takeAbandonedDebits(db: Database, limit: number): Promise<string[]> {
  const { rows } = await db.leases.query<{ id: string }>('SELECT take_abandoned_debits($1::integer) AS id', [limit]);
  return rows.map(({ id }) => id);
}
