import type { LockedAccount } from './accounts.ts';
import type { Database, DatabaseTransaction } from './database.ts';
import type { BetState } from './generated/enums.ts';

export type TransactionKind = 'deposit' | 'withdrawal' | 'debit' | 'credit' | 'rollback';

const LEAVES_THE_PLAYER: Readonly<Record<TransactionKind, boolean>> = {
  deposit: false,
  withdrawal: true,
  debit: true,
  credit: false,
  rollback: false,
};

/** The content of a transaction. */
export type TransactionContent = {
  transactionID: string;
  kind: TransactionKind;
  amount: bigint;
  debitTransactionID?: string;
  roundID?: string;
  gameID?: string;
  mode?: string;
  roundClosed?: boolean;
};

/** Writes a row of the journal and changes the balance, which it returns. The account is locked. */
export async function writeTransaction(
  tx: DatabaseTransaction,
  account: LockedAccount,
  transaction: TransactionContent,
): Promise<bigint> {
  const { transactionID, kind, amount } = transaction;
  const leaves = LEAVES_THE_PLAYER[kind];
  const otherId = kind === 'deposit' || kind === 'withdrawal' ? account.cashierId : account.houseId;
  const [fromId, toId] = leaves ? [account.id, otherId] : [otherId, account.id];
  const [row] = await tx.sql.$queryRaw<{ balance: bigint }[]>`
    WITH moved AS (
      UPDATE accounts SET balance_micros = balance_micros + ${leaves ? -amount : amount} WHERE id = ${account.id}
      RETURNING balance_micros
    )
    INSERT INTO transactions (transaction_id, kind, from_account_id, to_account_id, amount_micros, player_account_id,
      balance_after_micros, debit_id, round_id, game_id, mode, round_closed)
    SELECT ${transactionID}::uuid, ${kind}::transaction_kind, ${fromId}, ${toId}, ${amount}, ${account.id},
      moved.balance_micros, ${transaction.debitTransactionID ?? null}::uuid, ${transaction.roundID ?? null},
      ${transaction.gameID ?? null}, ${transaction.mode ?? null}, ${transaction.roundClosed ?? null}
    FROM moved
    RETURNING balance_after_micros AS balance`;
  if (row === undefined) throw new Error(`account ${account.id} does not exist`);
  tx.movedAccounts.add(account.id);
  return row.balance;
}

/** The content of a stored transaction, with which a repetition is compared. */
export type KnownTransaction = {
  kind: TransactionKind;
  amount: bigint;
  playerID: string;
  currency: string;
  debitTransactionID: string | null;
  roundID: string | null;
  gameID: string | null;
  mode: string | null;
  roundClosed: boolean | null;
};

export async function findTransaction(
  { sql }: DatabaseTransaction,
  transactionID: string,
): Promise<KnownTransaction | undefined> {
  const [row] = await sql.$queryRaw<KnownTransaction[]>`
    SELECT m.kind, m.amount_micros AS amount, p.external_id AS "playerID", a.currency, m.debit_id AS "debitTransactionID",
      m.round_id AS "roundID", m.game_id AS "gameID", m.mode, m.round_closed AS "roundClosed"
    FROM transactions m
    JOIN accounts a ON a.id = m.player_account_id
    JOIN players p ON p.id = a.player_id
    WHERE m.transaction_id = ${transactionID}::uuid`;
  return row;
}

/**
 * The player's loss of today (UTC) in micros: bets that were not rolled back, less payouts. A win
 * is below zero.
 */
export async function lossOfToday({ sql }: DatabaseTransaction, account: LockedAccount): Promise<bigint> {
  const [row] = await sql.$queryRaw<{ loss: bigint }[]>`
    SELECT coalesce(sum(CASE m.kind WHEN 'debit' THEN m.amount_micros WHEN 'credit' THEN -m.amount_micros END), 0)::bigint AS loss
    FROM transactions m
    LEFT JOIN bets b ON b.debit_id = m.transaction_id
    WHERE m.player_account_id = ${account.id} AND m.kind IN ('debit', 'credit')
      AND m.created_at >= date_trunc('day', now() AT TIME ZONE 'UTC') AT TIME ZONE 'UTC'
      AND b.state IS DISTINCT FROM 'rolled_back'`;
  return row?.loss ?? 0n;
}

/** A transaction of the game server. */
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

/** The row after which a page begins. */
export type TransactionPlace = { at: Date; id: bigint };

export type TransactionQuery = { from: Date; to: Date; after: TransactionPlace | undefined; limit: number };

const BEFORE_ALL: TransactionPlace = { at: new Date(0), id: 0n };

/** Oldest first, by time and then by id: rows of two accounts may have ids in another order. */
export async function listTransactions(
  db: Database,
  { from, to, after = BEFORE_ALL, limit }: TransactionQuery,
): Promise<TransactionRow[]> {
  return db.$queryRaw<TransactionRow[]>`
    SELECT m.id, m.transaction_id AS "transactionID", m.kind, m.debit_id AS "debitTransactionID", m.round_id AS "roundID",
      p.external_id AS "playerID", a.currency, m.amount_micros AS amount, m.created_at AS at
    FROM transactions m
    JOIN accounts a ON a.id = m.player_account_id
    JOIN players p ON p.id = a.player_id
    WHERE m.kind IN ('debit', 'credit', 'rollback') AND m.created_at >= ${from} AND m.created_at < ${to}
      AND (m.created_at, m.id) > (${after.at}::timestamptz, ${after.id}::bigint)
    ORDER BY m.created_at, m.id LIMIT ${limit}`;
}

export async function findBet(
  { sql }: DatabaseTransaction,
  debitTransactionID: string,
): Promise<{ state: BetState } | undefined> {
  const [bet] = await sql.$queryRaw<
    { state: BetState }[]
  >`SELECT state FROM bets WHERE debit_id = ${debitTransactionID}::uuid`;
  return bet;
}

/** Stores a bet, which can then be paid or rolled back. */
export async function openBet(
  { sql }: DatabaseTransaction,
  account: LockedAccount,
  debitTransactionID: string,
): Promise<void> {
  await sql.$executeRaw`
    INSERT INTO bets (debit_id, state, account_id) VALUES (${debitTransactionID}::uuid, 'open', ${account.id})`;
}

/** Bars a debit that has not arrived: when it arrives later, it is refused. */
export async function barBet({ sql }: DatabaseTransaction, debitTransactionID: string): Promise<void> {
  await sql.$executeRaw`INSERT INTO bets (debit_id, state) VALUES (${debitTransactionID}::uuid, 'barred')`;
}

export async function setBetState(
  { sql }: DatabaseTransaction,
  debitTransactionID: string,
  state: BetState,
): Promise<void> {
  await sql.$executeRaw`UPDATE bets SET state = ${state}::bet_state WHERE debit_id = ${debitTransactionID}::uuid`;
}
