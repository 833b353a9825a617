import type { Database } from './database.ts';

/** A movement that the game server has asked for. */
export type TransactionRow = {
  id: bigint;
  transactionID: string;
  kind: 'debit' | 'credit' | 'rollback';
  debitTransactionID: string | null;
  roundID: string;
  playerID: string;
  currency: string;
  amount: bigint;
  at: Date;
};

/** A place in the list: after this row. */
export type TransactionPlace = { at: Date; id: bigint };

export type TransactionQuery = { from: Date; to: Date; after: TransactionPlace | undefined; limit: number };

const BEFORE_ALL: TransactionPlace = { at: new Date(0), id: 0n };

/** Oldest first. By time and then by id: two accounts may get their ids in another order than their times. */
export async function listTransactions(
  db: Database,
  { from, to, after = BEFORE_ALL, limit }: TransactionQuery,
): Promise<TransactionRow[]> {
  return db.$queryRaw<TransactionRow[]>`
    SELECT m.id, m.transaction_id AS "transactionID", m.kind, m.debit_id AS "debitTransactionID", m.round_id AS "roundID",
      p.external_id AS "playerID", a.currency, m.amount_micros AS amount, m.created_at AS at
    FROM movements m
    JOIN accounts a ON a.id = m.player_account_id
    JOIN players p ON p.id = a.player_id
    WHERE m.kind IN ('debit', 'credit', 'rollback') AND m.created_at >= ${from} AND m.created_at < ${to}
      AND (m.created_at, m.id) > (${after.at}::timestamptz, ${after.id}::bigint)
    ORDER BY m.created_at, m.id LIMIT ${limit}`;
}
