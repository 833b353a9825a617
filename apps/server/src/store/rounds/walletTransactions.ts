import { type RoundTransactionKind, type TransactionState, toMicros } from '@roundhouse/contract';
import type { Database } from '../database/database.ts';
import type { StoredAmounts } from '../database/rowShape.ts';
import { Prisma } from '../generated/client.ts';
import type { ResultCode, Settlement, WalletTransaction } from './walletTransaction.ts';

export type WalletTransactionRow = StoredAmounts<Omit<WalletTransaction, 'rollback'>, 'amount'> & {
  rollbackState: TransactionState | null;
  rollbackResultCode: ResultCode | null;
  rollbackSettledBy: Settlement['settledBy'];
  rollbackSettledAt: Date | null;
};

export const SELECT_WALLET_TRANSACTIONS = Prisma.sql`
  SELECT w.transaction_id AS "transactionID", w.kind::text, w.state::text, w.result_code AS "resultCode",
    w.settled_by::text AS "settledBy", w.settled_at AS "settledAt", w.debit_transaction_id AS "debitTransactionID",
    w.round_id AS "roundID", w.player_id AS "playerID", w.external_id AS "externalID", w.game AS "gameID",
    w.operator_id AS "operatorID", w.operator AS "operatorCode", w.currency, w.amount_micros AS amount, w.attempts,
    w.reason,
    (SELECT external_id FROM grants WHERE id = w.grant_id) AS "grantID",
    w.result_detail AS "resultDetail", w.settlement_note AS "settlementNote", w.wallet_reference AS reference,
    w.created_at AS "createdAt",
    b.state::text AS "rollbackState", b.result_code AS "rollbackResultCode", b.settled_by::text AS "rollbackSettledBy",
    b.settled_at AS "rollbackSettledAt"
  FROM all_wallet_transaction_details w
  LEFT JOIN all_wallet_transactions b ON b.round_id = w.round_id AND b.kind = 'rollback'`;

export function toWalletTransaction(row: WalletTransactionRow): WalletTransaction {
  const { rollbackState, rollbackResultCode, rollbackSettledBy, rollbackSettledAt, amount, ...rest } = row;
  const rollback = rollbackState !== null && {
    state: rollbackState,
    resultCode: rollbackResultCode,
    settledBy: rollbackSettledBy,
    settledAt: rollbackSettledAt,
  };
  return { ...rest, amount: toMicros(amount), rollback: rollback || undefined };
}

export async function findWalletTransaction(
  db: Database,
  transactionID: string,
): Promise<WalletTransaction | undefined> {
  const [row] = await db.$queryRaw<WalletTransactionRow[]>`
    ${SELECT_WALLET_TRANSACTIONS} WHERE w.transaction_id = ${transactionID}::uuid`;
  return row && toWalletTransaction(row);
}

/** A wallet transaction with all that its request needs. */
export type Sendable = Omit<WalletTransaction, Exclude<keyof Settlement, 'settledAt'> | Unsent> & {
  /** It is sealed; null when the session was deleted or has none. */
  walletToken: string | null;
  /** When its debit was stored. */
  debitCreatedAt: Date;
  /** It was stored then, or a person has made it pending again. */
  retriedSince: Date;
};
type Unsent = 'operatorCode' | 'attempts' | 'resultDetail' | 'settlementNote' | 'reference' | 'rollback';

/** It finds no archived one: that is settled. */
export async function findSendable(db: Database, transactionID: string): Promise<Sendable | undefined> {
  const [row] = await db.$queryRaw<StoredAmounts<Sendable, 'amount'>[]>`
    SELECT
      ${transactionID} AS "transactionID", kind, settled_at AS "settledAt",
      debit_transaction_id::text AS "debitTransactionID", round_id AS "roundID", player_id AS "playerID",
      external_id AS "externalID", game AS "gameID", operator_id AS "operatorID", currency, amount_micros AS amount,
      reason, grant_id AS "grantID", created_at AS "createdAt", wallet_token AS "walletToken",
      retried_since AS "retriedSince", debit_created_at AS "debitCreatedAt"
    FROM find_sendable(${transactionID}::uuid)`;
  return row && { ...row, amount: toMicros(row.amount) };
}

/** Finds winnings that are stored with the round and not settled. */
export async function findUnpaidWinnings(db: Database, roundID: bigint): Promise<string | undefined> {
  const [row] = await db.$queryRaw<{ id: string }[]>`
    SELECT transaction_id::text AS id
    FROM wallet_transactions
    WHERE round_id = ${roundID} AND kind = 'winnings' AND settled_at IS NULL`;
  return row?.id;
}

/** Finds the operator's wallet transactions with these ids, by transactionID in lower case. */
export async function findWalletTransactions(
  db: Database,
  operatorID: number,
  transactionIDs: readonly string[],
): Promise<Map<string, WalletTransaction>> {
  const rows = await db.$queryRaw<WalletTransactionRow[]>`
    ${SELECT_WALLET_TRANSACTIONS}
    WHERE w.transaction_id = ANY (${transactionIDs}::uuid[]) AND w.operator_id = ${operatorID}`;
  return new Map(rows.map((row) => [row.transactionID, toWalletTransaction(row)]));
}

/** Finds the winnings of grants of the operator, by the operator's id of the grant. */
export async function findWinnings(
  db: Database,
  operatorID: number,
  grantIDs: readonly string[],
): Promise<Map<string, { transactionID: string; roundID: bigint }>> {
  const rows = await db.$queryRaw<{ grantID: string; transactionID: string; roundID: bigint }[]>`
    SELECT g.external_id AS "grantID", w.transaction_id::text AS "transactionID", w.round_id AS "roundID"
    FROM grants g
    JOIN all_wallet_transaction_details w ON w.grant_id = g.id AND w.kind = 'winnings'
    WHERE g.operator_id = ${operatorID} AND g.external_id = ANY (${grantIDs})`;
  return new Map(rows.map(({ grantID, ...winnings }) => [grantID, winnings]));
}

/** Finds rollbacks of the operator: their ids by the id of the debit. */
export async function findRollbacks(
  db: Database,
  operatorID: number,
  debitIDs: readonly string[],
): Promise<Map<string, string>> {
  const rows = await db.$queryRaw<{ debitID: string; transactionID: string }[]>`
    SELECT d.transaction_id::text AS "debitID", w.transaction_id::text AS "transactionID"
    FROM all_wallet_transaction_details d
    JOIN all_wallet_transactions w ON w.round_id = d.round_id AND w.kind = 'rollback'
    WHERE d.transaction_id = ANY (${debitIDs}::uuid[]) AND d.kind = 'debit' AND d.operator_id = ${operatorID}`;
  return new Map(rows.map(({ debitID, transactionID }) => [debitID, transactionID]));
}

// SKIP LOCKED: a row that is being settled needs no lease, and two batches could wait for each
// other.

const RENEW_DEBIT_LEASES = `
  UPDATE wallet_transactions w
  SET due_at = clock_timestamp() + debit_lease()
  FROM (
    SELECT transaction_id
    FROM wallet_transactions
    WHERE transaction_id = ANY ($1::uuid[]) AND settled_at IS NULL
    FOR UPDATE SKIP LOCKED
  ) held
  WHERE w.transaction_id = held.transaction_id`;

/** Renews the leases of those debits that are still pending. */
export async function renewDebitLeases(db: Database, transactionIDs: readonly string[]): Promise<void> {
  await db.leases.query(RENEW_DEBIT_LEASES, [transactionIDs]);
}

const TAKE_EXPIRED_DEBITS = `
  UPDATE wallet_transactions w
  SET due_at = clock_timestamp() + debit_lease()
  FROM (
    SELECT transaction_id
    FROM wallet_transactions
    WHERE state = 'pending' AND kind = 'debit' AND due_at <= clock_timestamp()
    ORDER BY due_at LIMIT $1 FOR UPDATE SKIP LOCKED
  ) due
  WHERE w.transaction_id = due.transaction_id
  RETURNING w.transaction_id::text AS id`;

/**
 * Returns ids of debits whose lease has expired, because their node stopped renewing it. Each is
 * leased to one caller, who abandons it.
 */
export async function takeExpiredDebits(db: Database, limit: number): Promise<string[]> {
  const { rows } = await db.leases.query<{ id: string }>(TAKE_EXPIRED_DEBITS, [limit]);
  return rows.map(({ id }) => id);
}

/**
 * Returns ids of credits and rollbacks that are due. Each is leased to one caller, for the time of
 * one attempt; when the caller dies it is due again.
 */
export async function takeDueWalletTransactions(db: Database, limit: number): Promise<string[]> {
  const rows = await db.$queryRaw<{ id: string }[]>`
    UPDATE wallet_transactions w SET due_at = clock_timestamp() + attempt_lease(
      (SELECT d.wallet_timeout_ms FROM wallet_transaction_details d WHERE d.transaction_id = w.transaction_id))
    FROM (
      SELECT transaction_id
      FROM wallet_transactions
      WHERE state = 'pending' AND kind <> 'debit' AND due_at <= clock_timestamp()
      ORDER BY due_at LIMIT ${limit} FOR UPDATE SKIP LOCKED
    ) due
    WHERE w.transaction_id = due.transaction_id
    RETURNING w.transaction_id::text AS id`;
  return rows.map(({ id }) => id);
}

/** Returns the oldest first. */
export async function listParked(db: Database): Promise<WalletTransaction[]> {
  const rows = await db.$queryRaw<WalletTransactionRow[]>`
    ${SELECT_WALLET_TRANSACTIONS} WHERE w.state = 'parked' ORDER BY w.created_at, w.transaction_id`;
  return rows.map(toWalletTransaction);
}

export type UnsettledCount = {
  operator: string;
  kind: RoundTransactionKind;
  state: 'pending' | 'parked';
  /** The shortest of these times that holds the age. */
  age: '1m' | '10m' | '1h' | '1d' | 'older';
  count: number;
  oldestSeconds: number;
};

/**
 * Counts unsettled wallet transactions by operator, kind, state and age. Each state has its own
 * index: no settled row is read.
 */
export function countUnsettled(db: Pick<Database, '$queryRaw'>): Promise<UnsettledCount[]> {
  return db.$queryRaw<UnsettledCount[]>`
    SELECT o.code AS operator, w.kind::text, w.state::text,
      CASE WHEN age < interval '1 minute' THEN '1m' WHEN age < interval '10 minutes' THEN '10m'
        WHEN age < interval '1 hour' THEN '1h' WHEN age < interval '1 day' THEN '1d' ELSE 'older' END AS age,
      count(*)::integer AS count, greatest(0, max(extract(epoch FROM age)))::double precision AS "oldestSeconds"
    FROM (
      SELECT *, now() - created_at AS age
      FROM wallet_transactions
      WHERE state = 'pending'
      UNION ALL
      SELECT *, now() - created_at AS age
      FROM wallet_transactions
      WHERE state = 'parked'
    ) w
    CROSS JOIN LATERAL (SELECT account_id FROM rounds WHERE id = w.round_id LIMIT 1) r
    CROSS JOIN LATERAL (SELECT operator_id FROM accounts WHERE id = r.account_id LIMIT 1) a
    JOIN operators o ON o.id = a.operator_id
    GROUP BY 1, 2, 3, 4`;
}
