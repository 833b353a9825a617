import { PrismaPg } from '@prisma/adapter-pg';
import { type ConnectionLimits, limitsOf, openPool } from '@roundhouse/service';
import type { Pool } from 'pg';
import { PrismaClient } from './generated/client.ts';
import { type SecretKeys, secretKeysOf } from './secretKeys.ts';

/** Prisma, and the pool under it: the commands of rounds go to the pool itself, as statements that each connection prepares once. */
export type Database = PrismaClient & {
  readonly pool: Pool;
  /** For what is asked before it is known who asks. However many ask, players do not wait behind them. */
  readonly anonymous: Pool;
  readonly limits: ConnectionLimits;
  /** By which the secrets of operators are read and written. */
  readonly secretKeys: SecretKeys;
  /** One connection for the leases of debits, which must not wait behind players. */
  readonly leases: Pool;
};

export type DatabaseOptions = {
  url: string;
  /** Connections for players, at most. Commands run in batches, so a few are enough. */
  connections?: number;
  /** Connections besides, for those who are not known yet. */
  anonymousConnections?: number;
  /** How long it may keep a player waiting; reports take NO_LIMITS. */
  limits?: ConnectionLimits;
  /** Keys of the secrets of operators: see secretKeysOf. None when left out. */
  secretsKey?: string;
};

const DEFAULT_CONNECTIONS = 10;
const DEFAULT_ANONYMOUS_CONNECTIONS = 2;
/** For a connection, where many transactions want one at once. Prisma's own 2 seconds are less than a busy disk may take. */
const TRANSACTION_WAIT_MS = 10_000;

/** Connects when it is first asked. Close it with `$disconnect`, which waits for what is under way; afterwards every query fails. */
export function openDatabase({
  url,
  connections = DEFAULT_CONNECTIONS,
  anonymousConnections = DEFAULT_ANONYMOUS_CONNECTIONS,
  limits = limitsOf(),
  secretsKey = '',
}: DatabaseOptions): Database {
  // The driver takes every time without a zone for UTC, both ways: whatever the database's own zone is, this connection's is UTC.
  const shared = { url, options: '-c TimeZone=UTC' };
  const pool = openPool({ ...shared, connections, limits, application_name: 'roundhouse' });
  const anonymous = openPool({
    ...shared,
    connections: anonymousConnections,
    limits,
    application_name: 'roundhouse anonymous',
  });
  const secretKeys = secretKeysOf(secretsKey);
  const leases = openPool({
    ...shared,
    connections: 1,
    limits: halfOf(limits),
    application_name: 'roundhouse leases',
  });
  const prisma = new PrismaClient({
    adapter: new PrismaPg(pool),
    transactionOptions: { maxWait: TRANSACTION_WAIT_MS },
  });
  const disconnectPrisma = prisma.$disconnect.bind(prisma);
  let ended: Promise<unknown> | undefined;
  return Object.assign(prisma, {
    pool,
    anonymous,
    leases,
    limits,
    secretKeys,
    // Prisma ends a pool only after it has used it itself.
    async $disconnect() {
      await disconnectPrisma();
      ended ??= Promise.all([pool.end(), anonymous.end(), leases.end()]);
      await ended;
    },
  });
}

/** A lease is a short statement, and has to be there in time. */
function halfOf({ connectMs, statementMs, silenceMs }: ConnectionLimits): ConnectionLimits {
  return { connectMs: connectMs / 2, statementMs: statementMs / 2, silenceMs: silenceMs / 2 };
}
