import type { TransactionState } from '@roundhouse/contract';
import type { Database } from '../store/database/database.ts';
import { Prisma } from '../store/generated/client.ts';
import { findWalletTransaction, findWalletTransactions } from '../store/rounds/walletTransactions.ts';
import { settleWalletTransactions } from './commands.ts';

/** Names parked wallet transactions; with an operator, only those of its players. */
export type ParkedChoice = { transactionIDs: readonly string[]; operatorID?: number | undefined };

/**
 * Makes parked wallet transactions, or the named ones, pending and due again, for a new period
 * of retries. Returns their ids.
 */
export async function retryParked(db: Database, which: 'all' | ParkedChoice): Promise<string[]> {
  const { transactionIDs, operatorID } = which === 'all' ? { transactionIDs: undefined } : which;
  const named = transactionIDs && Prisma.sql`AND p.transaction_id = ANY (${transactionIDs}::uuid[])`;
  // ORDER BY gives one order of locks: two overlapping selections do not deadlock.
  const rows = await db.$queryRaw<{ id: string }[]>`
    UPDATE wallet_transactions w
    SET state = 'pending', due_at = clock_timestamp(), retry_until = clock_timestamp() + retry_period()
    FROM (
      SELECT p.transaction_id
      FROM wallet_transactions p
      WHERE p.state = 'parked' ${named ?? Prisma.empty}
        ${operatorID === undefined ? Prisma.empty : Prisma.sql`AND ${operatorID} = ${OPERATOR_OF_ROUND}`}
      ORDER BY p.transaction_id FOR UPDATE
    ) parked
    WHERE w.transaction_id = parked.transaction_id
    RETURNING w.transaction_id::text AS id`;
  return rows.map(({ id }) => id);
}

const OPERATOR_OF_ROUND = Prisma.sql`
  (SELECT a.operator_id FROM rounds r JOIN accounts a ON a.id = r.account_id WHERE r.id = p.round_id)`;

const NO_RESULT = {
  resultCode: undefined,
  httpStatus: undefined,
  resultDetail: undefined,
  reference: undefined,
  reportedBalance: undefined,
  rollbackID: undefined,
};

export type SettleParked = { transactionID: string; note: string; operatorID?: number | undefined };

/**
 * Settles a parked wallet transaction as if the operator had accepted it, with all that follows for
 * its round. If it is not parked, before or at the moment of its settlement, returns its state.
 * Returns undefined when the operator has no such wallet transaction.
 */
export async function settleParked(
  db: Database,
  settlement: SettleParked,
): Promise<'settled' | Exclude<TransactionState, 'parked'> | undefined> {
  const { transactionID, note, operatorID } = settlement;
  const transaction =
    operatorID === undefined
      ? await findWalletTransaction(db, transactionID)
      : (await findWalletTransactions(db, operatorID, [transactionID])).get(transactionID);
  if (transaction === undefined) return undefined;
  const { state, playerID } = transaction;
  if (state !== 'parked') return state;
  const command = { playerID, transactionID, result: 'accepted', settledBy: 'person' } as const;
  const [outcome] = await settleWalletTransactions.run(db, [{ ...command, ...NO_RESULT, settlementNote: note }]);
  // Another caller has settled or retried it meanwhile: its state says which.
  return outcome?.late === false ? 'settled' : settleParked(db, settlement);
}
