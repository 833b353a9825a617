import type { Database } from '../database/database.ts';
import type { WalletTransaction } from '../rounds/walletTransaction.ts';
import {
  SELECT_WALLET_TRANSACTIONS,
  toWalletTransaction,
  type WalletTransactionRow,
} from '../rounds/walletTransactions.ts';

/** One operator's wallet transactions were created from `from` on and before `to`. */
export type TransactionWindow = { operatorID: number; from: Date; to: Date };

const PAGE_SIZE = 5_000;
/**
 * A slice that holds more than a page is cut shorter, down to this. One that holds little makes the
 * next one longer, up to the other limit.
 */
const SHORTEST_SLICE_MS = 1_000;
const LONGEST_SLICE_MS = 3_600_000;
const SLICE_FACTOR = 4;
const FIRST_ID = '00000000-0000-0000-0000-000000000000';

/**
 * Reads all of the window, page by page. It reads slices of time, because the index on created_at
 * is coarse: it finds blocks, not rows.
 */
export async function* walkWalletTransactions(
  db: Database,
  { operatorID, from, to }: TransactionWindow,
): AsyncGenerator<WalletTransaction[]> {
  let beginMs = from.getTime();
  let lengthMs = SHORTEST_SLICE_MS * 60;
  let after = FIRST_ID;
  while (beginMs < to.getTime()) {
    const endMs = Math.min(beginMs + lengthMs, to.getTime());
    const slice = { operatorID, from: new Date(beginMs), to: new Date(endMs) };
    const rows = await readSlice(db, slice, after);
    const isFull = rows.length === PAGE_SIZE;
    if (isFull && lengthMs > SHORTEST_SLICE_MS) {
      lengthMs = Math.max(SHORTEST_SLICE_MS, Math.floor(lengthMs / SLICE_FACTOR));
      continue;
    }
    if (rows.length > 0) yield rows.map(toWalletTransaction);
    after = (isFull && rows.at(-1)?.transactionID) || FIRST_ID;
    if (isFull) continue;
    beginMs = endMs;
    if (rows.length < PAGE_SIZE / SLICE_FACTOR) lengthMs = Math.min(LONGEST_SLICE_MS, lengthMs * 2);
  }
}

function readSlice(
  db: Database,
  { operatorID, from, to }: TransactionWindow,
  after: string,
): Promise<WalletTransactionRow[]> {
  return db.$queryRaw<WalletTransactionRow[]>`
    ${SELECT_WALLET_TRANSACTIONS}
    WHERE w.operator_id = ${operatorID} AND w.created_at >= ${from}::timestamptz AND w.created_at < ${to}::timestamptz
      AND w.transaction_id > ${after}::uuid
    ORDER BY w.transaction_id LIMIT ${PAGE_SIZE}`;
}

/** Counts those of the window. It reads all of them, so it is for windows of minutes. */
export async function countWalletTransactions(
  db: Database,
  { operatorID, from, to }: TransactionWindow,
): Promise<number> {
  const [row] = await db.$queryRaw<{ count: bigint }[]>`
    SELECT count(*)
    FROM all_wallet_transaction_details w
    WHERE w.operator_id = ${operatorID} AND w.created_at >= ${from}::timestamptz AND w.created_at < ${to}::timestamptz`;
  return Number(row?.count);
}

/**
 * Returns when the last wallet transaction of the window, or its rollback, was settled by `asOf`.
 */
export async function lastSettlement(
  db: Database,
  { operatorID, from, to, asOf }: TransactionWindow & { asOf: Date },
): Promise<Date | undefined> {
  const [row] = await db.$queryRaw<{ last: Date | null }[]>`
    SELECT max(s.settled_at) AS last
    FROM all_wallet_transaction_details w
    JOIN all_wallet_transactions s ON s.round_id = w.round_id
      AND (s.transaction_id = w.transaction_id OR s.kind = 'rollback')
    WHERE w.operator_id = ${operatorID} AND w.created_at >= ${from}::timestamptz AND w.created_at < ${to}::timestamptz
      AND s.settled_at <= ${asOf}::timestamptz`;
  return row?.last ?? undefined;
}
