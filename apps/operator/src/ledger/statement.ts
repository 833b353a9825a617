import type { Database, Ledger } from './database.ts';
import { Prisma } from './generated/client.ts';
import type { TransactionKind } from './transactions.ts';

/** Amounts are micros. `amount` is negative when it leaves the player. */
export type StatementRow = {
  id: bigint;
  at: Date;
  kind: TransactionKind;
  amount: bigint;
  balanceAfter: bigint;
  transactionID: string;
  roundID: string | null;
  gameID: string | null;
  /** The grant of a free round, or the grant whose wins are paid together. */
  grantID: string | null;
  /** The entry pays the wins of the whole grant. */
  grantClosed: boolean;
};

const COLUMNS = Prisma.sql`
  m.id, m.created_at AS at, m.kind,
  CASE WHEN m.from_account_id = m.player_account_id THEN -m.amount_micros ELSE m.amount_micros END AS amount,
  m.balance_after_micros AS "balanceAfter", m.transaction_id AS "transactionID", m.round_id AS "roundID",
  m.game_id AS "gameID", m.grant_id AS "grantID", m.grant_closed AS "grantClosed"`;

/** Returns rows, newest first; with `before` only those that are older. */
export async function readStatement(
  db: Database,
  accountId: bigint,
  { limit, before }: { limit: number; before: bigint | undefined },
): Promise<StatementRow[]> {
  return db.$queryRaw<StatementRow[]>`
    SELECT ${COLUMNS}
    FROM transactions m
    WHERE m.player_account_id = ${accountId} AND (${before ?? null}::bigint IS NULL OR m.id < ${before ?? null}::bigint)
    ORDER BY m.id DESC LIMIT ${limit}`;
}

/** Reads the rows after a row, oldest first. */
async function readStatementAfter(
  db: Database,
  accountId: bigint,
  { after, limit }: { after: bigint; limit: number },
): Promise<StatementRow[]> {
  return db.$queryRaw<StatementRow[]>`
    SELECT ${COLUMNS}
    FROM transactions m
    WHERE m.player_account_id = ${accountId} AND m.id > ${after}
    ORDER BY m.id LIMIT ${limit}`;
}

/** Returns the id of the account's newest row; 0 without rows. */
async function newestRow(db: Database, accountId: bigint): Promise<bigint> {
  const [row] = await db.$queryRaw<{ id: bigint }[]>`
    SELECT coalesce(max(id), 0) AS id
    FROM transactions
    WHERE player_account_id = ${accountId}`;
  return row?.id ?? 0n;
}

const ROWS_PER_READ = 100;

type FollowOptions = {
  /** Starts after this row; without it, with the rows written from now on. */
  after: bigint | undefined;
  /** Called once for each new row, in the journal's order. */
  onRow(row: StatementRow): void;
  onError(error: unknown): void;
};

/** Follows the journal of an account. The starting point is fixed when this resolves. */
export async function followStatement(
  { db, feed }: Ledger,
  accountId: bigint,
  { after, onRow, onError }: FollowOptions,
): Promise<{ stop(): void }> {
  let last = after ?? 0n;
  let isReading = true;
  let hasNewRows = after !== undefined;
  let isStopped = false;

  // One reader runs at a time. A notification during a read makes it read again.
  const read = async () => {
    isReading = true;
    while (hasNewRows && !isStopped) {
      hasNewRows = false;
      await readNewRows();
    }
    isReading = false;
  };
  const readNewRows = async () => {
    for (;;) {
      const rows = await readStatementAfter(db, accountId, { after: last, limit: ROWS_PER_READ });
      for (const row of rows) {
        if (isStopped) return;
        last = row.id;
        onRow(row);
      }
      if (rows.length < ROWS_PER_READ) return;
    }
  };
  const unfollow = feed.follow(accountId, () => {
    hasNewRows = true;
    if (!isReading) read().catch(onError);
  });
  const stop = () => {
    isStopped = true;
    unfollow();
  };
  try {
    if (after === undefined) last = await newestRow(db, accountId);
  } catch (error) {
    stop();
    throw error;
  }
  read().catch(onError);
  return { stop };
}
