import type { LockedAccount } from './accounts.ts';
import type { Database, DatabaseTransaction } from './database.ts';

export type TransactionKind = 'deposit' | 'withdrawal' | 'debit' | 'credit' | 'rollback';

/**
 * The cashier makes a deposit or a withdrawal. The game server's wallet transactions are in
 * prisma/functions.
 */
export type CashierTransaction = { transactionID: string; kind: 'deposit' | 'withdrawal'; amount: bigint };

/** Writes a row of the journal and changes the balance. The account is locked. */
export async function writeTransaction(
  tx: DatabaseTransaction,
  account: LockedAccount,
  { transactionID, kind, amount }: CashierTransaction,
): Promise<void> {
  const isDeposit = kind === 'deposit';
  const [fromId, toId] = isDeposit ? [account.cashierId, account.id] : [account.id, account.cashierId];
  await tx.sql.$executeRaw`
    WITH moved AS (
      UPDATE accounts
      SET balance_micros = balance_micros + ${isDeposit ? amount : -amount}
      WHERE id = ${account.id}
      RETURNING balance_micros
    )
    INSERT INTO transactions (transaction_id, kind, from_account_id, to_account_id, amount_micros,
      player_account_id, balance_after_micros)
    SELECT ${transactionID}::uuid, ${kind}::transaction_kind, ${fromId}, ${toId}, ${amount},
      ${account.id}, moved.balance_micros
    FROM moved`;
  tx.movedAccounts.add(account.id);
}

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

/** A page begins after this row. */
export type TransactionPlace = { at: Date; id: bigint };

export type TransactionQuery = { from: Date; to: Date; after: TransactionPlace | undefined; limit: number };

const BEFORE_ALL: TransactionPlace = { at: new Date(0), id: 0n };

/** Oldest first, by time and then by id: rows of two accounts may have ids in another order. */
export async function listTransactions(
  db: Database,
  { from, to, after = BEFORE_ALL, limit }: TransactionQuery,
): Promise<TransactionRow[]> {
  return db.$queryRaw<TransactionRow[]>`
    SELECT m.id, m.transaction_id AS "transactionID", m.kind, m.debit_id AS "debitTransactionID",
      m.round_id AS "roundID", p.external_id AS "playerID", a.currency, m.amount_micros AS amount, m.created_at AS at
    FROM transactions m
    JOIN accounts a ON a.id = m.player_account_id
    JOIN players p ON p.id = a.player_id
    WHERE m.kind IN ('debit', 'credit', 'rollback') AND m.created_at >= ${from} AND m.created_at < ${to}
      AND (m.created_at, m.id) > (${after.at}::timestamptz, ${after.id}::bigint)
    ORDER BY m.created_at, m.id LIMIT ${limit}`;
}
