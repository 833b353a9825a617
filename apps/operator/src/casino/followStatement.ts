import type { Books } from '../ledger/books.ts';
import { newestRow, readStatementAfter, type StatementRow } from '../ledger/statement.ts';

const ROWS_AT_ONCE = 100;

export type Following = { stop(): void };

export type FollowOptions = {
  /** The row after which to begin; without it with what is written from now on. */
  after: bigint | undefined;
  /** Each new row once, in the journal's order. */
  show(row: StatementRow): void;
  failed(error: unknown): void;
};

/** Follows the journal of an account. It is settled where to begin once this resolves. */
export async function followStatement(
  { db, feed }: Books,
  accountId: bigint,
  { after, show, failed }: FollowOptions,
): Promise<Following> {
  let last = after ?? 0n;
  let isReading = true;
  let hasGrown = after !== undefined;
  let isStopped = false;

  // One reader at a time; what grows while it reads is read by another turn of its loop.
  const readOn = async () => {
    isReading = true;
    while (hasGrown && !isStopped) {
      hasGrown = false;
      await showNewRows();
    }
    isReading = false;
  };
  const showNewRows = async () => {
    for (;;) {
      const rows = await readStatementAfter(db, accountId, { after: last, limit: ROWS_AT_ONCE });
      for (const row of rows) {
        if (isStopped) return;
        last = row.id;
        show(row);
      }
      if (rows.length < ROWS_AT_ONCE) return;
    }
  };
  const unfollow = feed.follow(accountId, () => {
    hasGrown = true;
    if (!isReading) readOn().catch(failed);
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
  readOn().catch(failed);
  return { stop };
}
