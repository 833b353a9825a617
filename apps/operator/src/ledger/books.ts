import { EventEmitter } from 'node:events';
import { retryConflicts, UNIQUE_VIOLATION } from '@roundhouse/service';
import type { Database } from './database.ts';
import type { Prisma } from './generated/client.ts';

/** The operator's books: the database, and word of what has moved in it. */
export type Books = { db: Database; feed: JournalFeed };

/** One transaction on the books. */
export type Entry = {
  sql: Prisma.TransactionClient;
  /** Player accounts with a new row in the journal; told to the feed once they are committed. */
  movedAccounts: Set<bigint>;
};

export function createBooks(db: Database): Books {
  return { db, feed: createJournalFeed() };
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

/** Tells whoever follows an account that its journal has grown. The follower reads the journal itself, in its order. */
type JournalFeed = {
  tell(accountId: bigint): void;
  /** Answers what ends the following. */
  follow(accountId: bigint, grown: () => void): () => void;
};

/** Within this process, which is the only one that writes to these books. */
function createJournalFeed(): JournalFeed {
  const emitter = new EventEmitter();
  emitter.setMaxListeners(0);
  return {
    tell: (accountId) => void emitter.emit(String(accountId)),
    follow(accountId, grown) {
      emitter.on(String(accountId), grown);
      return () => void emitter.off(String(accountId), grown);
    },
  };
}
