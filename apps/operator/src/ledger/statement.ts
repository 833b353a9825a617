import type { Database } from './database.ts';
import { Prisma } from './generated/client.ts';
import type { TransactionKind } from './transactions.ts';

/** One row of the journal as the player sees it: `amount` is negative when it leaves them. Micros. */
export type StatementRow = {
  id: bigint;
  at: Date;
  kind: TransactionKind;
  amount: bigint;
  balanceAfter: bigint;
  transactionID: string;
  roundID: string | null;
  gameID: string | null;
};

const COLUMNS = Prisma.sql`
  m.id, m.created_at AS at, m.kind,
  CASE WHEN m.from_account_id = m.player_account_id THEN -m.amount_micros ELSE m.amount_micros END AS amount,
  m.balance_after_micros AS "balanceAfter", m.transaction_id AS "transactionID", m.round_id AS "roundID", m.game_id AS "gameID"`;

/** Newest first; with `before`, those older than that row. */
export async function readStatement(
  db: Database,
  accountId: bigint,
  { limit, before }: { limit: number; before: bigint | undefined },
): Promise<StatementRow[]> {
  return db.$queryRaw<StatementRow[]>`
    SELECT ${COLUMNS} FROM transactions m
    WHERE m.player_account_id = ${accountId} AND (${before ?? null}::bigint IS NULL OR m.id < ${before ?? null}::bigint)
    ORDER BY m.id DESC LIMIT ${limit}`;
}

/** What came after a row, oldest first. */
export async function readStatementAfter(
  db: Database,
  accountId: bigint,
  { after, limit }: { after: bigint; limit: number },
): Promise<StatementRow[]> {
  return db.$queryRaw<StatementRow[]>`
    SELECT ${COLUMNS} FROM transactions m
    WHERE m.player_account_id = ${accountId} AND m.id > ${after} ORDER BY m.id LIMIT ${limit}`;
}

/** The id of the account's newest row, 0 when it has none. */
export async function newestRow(db: Database, accountId: bigint): Promise<bigint> {
  const [row] = await db.$queryRaw<{ id: bigint }[]>`
    SELECT coalesce(max(id), 0) AS id FROM transactions WHERE player_account_id = ${accountId}`;
  return row?.id ?? 0n;
}
