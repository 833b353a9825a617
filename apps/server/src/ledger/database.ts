import { PrismaPg } from '@prisma/adapter-pg';
import { Pool } from 'pg';
import { PrismaClient } from './generated/client.ts';

/** Prisma, and the pool under it: the commands of rounds go to the pool itself, as statements that each connection prepares once. */
export type Database = PrismaClient & { readonly pool: Pool };

export type DatabaseOptions = {
  url: string;
  /** Connections of this process, at most. Commands run in batches, so a few are enough. */
  connections?: number;
};

const DEFAULT_CONNECTIONS = 10;
const CONNECT_TIMEOUT_MS = 5_000;
/** For a connection, where many transactions want one at once. Prisma's own 2 seconds are less than a busy disk may take. */
const TRANSACTION_WAIT_MS = 10_000;

/** Connects when it is first asked. Close it with `$disconnect`, which waits for what is under way; afterwards every query fails. */
export function openDatabase({ url, connections = DEFAULT_CONNECTIONS }: DatabaseOptions): Database {
  const pool = new Pool({
    connectionString: url,
    max: connections,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    application_name: 'roundhouse',
    // The driver takes every time without a zone for UTC, both ways: whatever the database's own zone is, this connection's is UTC.
    options: '-c TimeZone=UTC',
  });
  // A connection that breaks while it is idle is replaced when it is needed.
  pool.on('error', () => {});
  const prisma = new PrismaClient({
    adapter: new PrismaPg(pool),
    transactionOptions: { maxWait: TRANSACTION_WAIT_MS },
  });
  const disconnectPrisma = prisma.$disconnect.bind(prisma);
  let ended: Promise<void> | undefined;
  return Object.assign(prisma, {
    pool,
    // Prisma ends a pool only after it has used it itself.
    async $disconnect() {
      await disconnectPrisma();
      ended ??= pool.end();
      await ended;
    },
  });
}
