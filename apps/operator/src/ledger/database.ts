import { EventEmitter } from 'node:events';
import { fileURLToPath } from 'node:url';
import { PrismaPg } from '@prisma/adapter-pg';
import {
  applyDefinitions,
  applyMigrations,
  limitsOf,
  openClient,
  openPool,
  readSqlFiles,
  retryConflicts,
  UNIQUE_VIOLATION,
  Writer,
  type WriterPool,
} from '@roundhouse/service';
import { type Prisma, PrismaClient } from './generated/client.ts';
import { MAX_ATTEMPTS } from './sqlFunction.ts';
import { createWalletTransactions, type WalletTransactions } from './walletTransactions.ts';

/** Prisma for the lobby, and a pool for the SQL functions that serve the game server. */
export type Database = PrismaClient & { readonly functions: WriterPool };

/** The operator's tables are in a separate schema, so it can share a database. */
const SCHEMA = 'reference_operator';

const CONNECTIONS = 10;
const STATEMENT_MS = 20_000;
// Requests may wait long for a lock, because their sender has its own timeout.
const TRANSACTION_LIMITS = { maxWait: 20_000, timeout: STATEMENT_MS };

// Operators that start at the same time take this lock. It differs from Prisma's key, which the
// game server takes on a shared database.
const ADVISORY_LOCK = 72_707_370;

// The path is the same from src/ledger, where tests run, and from dist/ledger.
const PRISMA_FOLDER = fileURLToPath(new URL('../../prisma/', import.meta.url));

/**
 * Creates the schema if it is missing, applies new migrations, and recreates changed functions and
 * views. Returns the names of the migrations.
 */
export async function migrate(url: string): Promise<string[]> {
  const { migrations, definitions } = await readSqlFiles(PRISMA_FOLDER);
  const client = await openClient(url);
  try {
    await client.query('SELECT pg_advisory_lock($1)', [ADVISORY_LOCK]);
    await client.query(`CREATE SCHEMA IF NOT EXISTS ${SCHEMA}`);
    await client.query(`SET search_path = ${SCHEMA}`);
    const applied = await applyMigrations(client, migrations);
    await applyDefinitions(client, definitions);
    return applied;
  } finally {
    // Ends the session, and with it the advisory lock.
    await client.end();
  }
}

// A connection plans a function once, and would keep the plan for small tables when they are large:
// 3,700 microseconds for a debit instead of 140. With these settings every look-up uses its index.
const PINNED_PLANS =
  '-c plan_cache_mode=force_generic_plan -c enable_seqscan=off -c enable_hashjoin=off -c enable_mergejoin=off -c jit=off';

export function openDatabase(url: string): Database {
  const limits = limitsOf(STATEMENT_MS);
  const writer = new Writer(url, limits.awayMs);
  const shared = { writer, connections: CONNECTIONS, limits };
  // Our own SQL names no schema, and Prisma writes times without a zone.
  const options = `-c search_path=${SCHEMA} -c timezone=UTC`;
  const pool = openPool({ ...shared, application_name: 'roundhouse-operator', options });
  const functions = openPool({
    ...shared,
    application_name: 'roundhouse-operator wallet',
    options: `${options} ${PINNED_PLANS}`,
  });
  // Without the option the adapter does not end a pool that it did not make.
  const adapter = new PrismaPg(pool, { schema: SCHEMA, disposeExternalPool: true });
  const prisma = new PrismaClient({ adapter, transactionOptions: TRANSACTION_LIMITS });
  const disconnectPrisma = prisma.$disconnect.bind(prisma);
  return Object.assign(prisma, {
    functions,
    async $disconnect() {
      await disconnectPrisma();
      if (!functions.ended) await functions.end();
      writer.close();
    },
  });
}

/** The operator's accounts and their journal: the database, and a signal for new rows. */
export type Ledger = { db: Database; feed: JournalFeed; walletTransactions: WalletTransactions };

export type DatabaseTransaction = {
  sql: Prisma.TransactionClient;
  /** Followers of these player accounts are notified after the commit. */
  movedAccounts: Set<bigint>;
};

export function createLedger(db: Database): Ledger {
  const feed = createJournalFeed();
  return { db, feed, walletTransactions: createWalletTransactions(db.functions, feed.notify) };
}

/**
 * Runs work in one database transaction. After a conflict it runs again, at most 4 times: the loser
 * of a race for an id then reads what the winner wrote.
 */
export function inTransaction<Value>(
  { db, feed }: Ledger,
  work: (tx: DatabaseTransaction) => Promise<Value>,
): Promise<Value> {
  const run = async () => {
    const movedAccounts = new Set<bigint>();
    const value = await db.$transaction((sql) => work({ sql, movedAccounts }));
    for (const accountId of movedAccounts) feed.notify(accountId);
    return value;
  };
  return retryConflicts(run, { maxAttempts: MAX_ATTEMPTS, alsoAfter: [UNIQUE_VIOLATION] });
}

/** Notifies followers of an account. A follower reads the new rows itself, in their order. */
type JournalFeed = {
  notify(accountId: bigint): void;
  /** Returns the function that stops it. */
  follow(accountId: bigint, onRows: () => void): () => void;
};

/** Works within this process, the only one that writes to this ledger. */
function createJournalFeed(): JournalFeed {
  const emitter = new EventEmitter();
  emitter.setMaxListeners(0);
  return {
    notify: (accountId) => void emitter.emit(String(accountId)),
    follow(accountId, onRows) {
      emitter.on(String(accountId), onRows);
      return () => void emitter.off(String(accountId), onRows);
    },
  };
}
