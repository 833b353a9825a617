import type { Database } from './database.ts';
import { Prisma } from './generated/client.ts';
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

const SERIALIZATION_FAILURE = '40001';
const DEADLOCK_DETECTED = '40P01';
const UNIQUE_VIOLATION = '23505';
const MAX_ATTEMPTS = 5;

/**
 * Runs work in one transaction. When PostgreSQL undoes it because somebody else was faster, it runs again, at most 4 times: the loser of a
 * race for an id then reads what the winner wrote.
 */
export async function inTransaction<Value>(books: Books, work: (entry: Entry) => Promise<Value>): Promise<Value> {
  for (let attempt = 1; ; attempt += 1) {
    const movedAccounts = new Set<bigint>();
    try {
      const value = await books.db.$transaction((sql) => work({ sql, movedAccounts }));
      for (const accountId of movedAccounts) books.feed.tell(accountId);
      return value;
    } catch (error) {
      if (!lostARace(error) || attempt === MAX_ATTEMPTS) throw error;
    }
  }
}

function lostARace(error: unknown): boolean {
  const state = sqlState(error);
  return state === SERIALIZATION_FAILURE || state === DEADLOCK_DETECTED || state === UNIQUE_VIOLATION;
}

/** The SQLSTATE that PostgreSQL gave, when the error came from there. */
function sqlState(error: unknown): string | undefined {
  if (!(error instanceof Prisma.PrismaClientKnownRequestError)) return undefined;
  const driverError = error.meta?.driverAdapterError as { cause?: { originalCode?: unknown } } | undefined;
  const code = driverError?.cause?.originalCode;
  return typeof code === 'string' ? code : undefined;
}
