import { PrismaPg } from '@prisma/adapter-pg';
import { limitsOf, openPool } from '@roundhouse/service';
import { PrismaClient } from './generated/client.ts';

export type Database = PrismaClient;

/** Where the operator's tables are: it may share a database with whom it does not know. */
export const SCHEMA = 'reference_operator';

const CONNECTIONS = 10;
const STATEMENT_MS = 20_000;
// A call that has to wait for its turn is better late than refused: the caller has a time-out of its own.
const TRANSACTION_LIMITS = { maxWait: 20_000, timeout: STATEMENT_MS };

export function openDatabase(url: string): Database {
  const pool = openPool({
    url,
    connections: CONNECTIONS,
    limits: limitsOf(STATEMENT_MS),
    application_name: 'roundhouse-operator',
    // The path for SQL of our own, since what Prisma writes names the schema; the zone because it writes times without one.
    options: `-c search_path=${SCHEMA} -c timezone=UTC`,
  });
  // Ended with the client: it would leave a pool that it has not made itself open.
  const adapter = new PrismaPg(pool, { schema: SCHEMA, disposeExternalPool: true });
  return new PrismaClient({ adapter, transactionOptions: TRANSACTION_LIMITS });
}
