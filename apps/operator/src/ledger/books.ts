import { retryConflicts, UNIQUE_VIOLATION } from '@roundhouse/service';
import type { Database } from './database.ts';
import type { Prisma } from './generated/client.ts';
import { createMovementFeed, type MovementFeed } from './movementFeed.ts';

/** The operator's books: the database, and word of what has moved in it. */
export type Books = { db: Database; feed: MovementFeed };

/** One transaction on the books. */
export type Entry = {
  sql: Prisma.TransactionClient;
  /** Player accounts with a new row in the journal; told to the feed once they are committed. */
  movedAccounts: Set<bigint>;
};

export function createBooks(db: Database): Books {
  return { db, feed: createMovementFeed() };
}

const MAX_ATTEMPTS = 5;

/**
 * Runs work in one transaction, and repeats it, at most 4 times, when another transaction won: the loser of a race for an id
 * then reads what the winner wrote.
 */
export function inTransaction<Value>(books: Books, work: (entry: Entry) => Promise<Value>): Promise<Value> {
  const run = async () => {
    const movedAccounts = new Set<bigint>();
    const value = await books.db.$transaction((sql) => work({ sql, movedAccounts }));
    for (const accountId of movedAccounts) books.feed.tell(accountId);
    return value;
  };
  return retryConflicts(run, { maxAttempts: MAX_ATTEMPTS, alsoAfter: [UNIQUE_VIOLATION] });
}
