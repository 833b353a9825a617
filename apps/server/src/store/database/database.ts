import { PrismaPg } from '@prisma/adapter-pg';
import { type ConnectionLimits, limitsOf, openPool, Writer, type WriterPool } from '@roundhouse/service';
import type { PoolClient } from 'pg';
import { createFleetView, type FleetView } from '../cells/fleetView.ts';
import { PrismaClient } from '../generated/client.ts';
import { type SecretKeys, secretKeysOf } from './secretKeys.ts';

/**
 * A database is Prisma with the pool under it. The commands of a round use the pool, with
 * statements that each connection prepares once.
 */
export type Database = PrismaClient & {
  readonly pool: WriterPool;
  /** Look-ups of unknown callers use it, so players never wait behind them. */
  readonly anonymous: WriterPool;
  readonly limits: ConnectionLimits;
  /** The keys encrypt the secrets of operators. */
  readonly secretKeys: SecretKeys;
  /** Leases of wallet transactions have their own connection: they must not wait for players. */
  readonly leases: WriterPool;
  /** Finds the host of the database that takes writes. */
  readonly writer: Writer;
  /** Says which cell of a fleet the database is. */
  readonly fleet: FleetView;
};

export type DatabaseOptions = {
  url: string;
  /** Players have at most this many. Commands run in batches, so a few are enough. */
  connections?: number;
  /** Unknown callers have this many connections, besides those for players. */
  anonymousConnections?: number;
  /** Time limits for which the database may keep a player waiting; reports take NO_LIMITS. */
  limits?: ConnectionLimits;
  /** secretKeysOf reads these keys of operators' secrets. There are none when it is left out. */
  secretsKey?: string;
  /**
   * The log of significant events names the actor of each change: see eventKinds.ts. A function
   * returns the one of the moment: each connection carries it when it leaves the pool.
   */
  actor?: string | (() => string);
  /** Its connections name this node in pg_stat_activity, so that others see that it runs. */
  node?: string;
};

const DEFAULT_CONNECTIONS = 10;
const DEFAULT_ANONYMOUS_CONNECTIONS = 2;
/**
 * Time in milliseconds for which a transaction waits for a connection. Prisma's default of 2
 * seconds is shorter than a write to a busy disk.
 */
const TRANSACTION_WAIT_MS = 10_000;

/**
 * Connects at the first query. `$disconnect` waits for queries in progress; every later query
 * fails.
 */
export function openDatabase({
  url,
  connections = DEFAULT_CONNECTIONS,
  anonymousConnections = DEFAULT_ANONYMOUS_CONNECTIONS,
  limits = limitsOf(),
  secretsKey = '',
  actor = 'system',
  node,
}: DatabaseOptions): Database {
  // The driver reads and writes times without a zone as UTC, so the zone of each connection is UTC.
  const writer = new Writer(url, limits.awayMs);
  const first = typeof actor === 'string' ? actor : actor();
  const shared = { writer, options: `-c TimeZone=UTC -c roundhouse.actor=${first.replace(/[\\\s]/g, '\\$&')}` };
  const pool = openPool({ ...shared, connections, limits, application_name: applicationNameOf(node) });
  if (typeof actor === 'function') nameActors(pool, actor);
  const anonymous = openPool({
    ...shared,
    connections: anonymousConnections,
    limits,
    application_name: applicationNameOf(node, 'anonymous'),
  });
  const secretKeys = secretKeysOf(secretsKey);
  const leases = openPool({
    ...shared,
    connections: 1,
    limits: halfOf(limits),
    application_name: applicationNameOf(node, 'leases'),
  });
  const prisma = new PrismaClient({ adapter: new PrismaPg(pool), transactionOptions: transactionLimitsOf(limits) });
  const disconnectPrisma = prisma.$disconnect.bind(prisma);
  let ended: Promise<unknown> | undefined;
  return Object.assign(prisma, {
    pool,
    anonymous,
    leases,
    writer,
    limits,
    secretKeys,
    fleet: createFleetView(pool),
    // Prisma ends the pool only when Prisma itself has used it.
    async $disconnect() {
      await disconnectPrisma();
      ended ??= Promise.all([pool.end(), anonymous.end(), leases.end()]).finally(() => writer.close());
      await ended;
    },
  });
}

/** A command without limits is done by then, or waits for a lock that nobody gives back. */
const LONGEST_TRANSACTION_MS = 3_600_000;

/**
 * A transaction of several statements takes as long as its connection may be silent. Prisma's
 * default of 5 seconds ends one that waits for a lock, as five changes of operators at once do.
 */
export function transactionLimitsOf({ statementMs, silenceMs }: ConnectionLimits) {
  return { maxWait: TRANSACTION_WAIT_MS, timeout: statementMs === 0 ? LONGEST_TRANSACTION_MS : silenceMs };
}

/** PostgreSQL cuts a longer name, and would cut the number of the process. */
const MOST_NAME_CHARACTERS = 63;

/** Returns the name of the connections of a node's pool: by default of that for players. */
export function applicationNameOf(node: string | undefined, pool?: 'anonymous' | 'leases'): string {
  const name = pool === undefined ? 'roundhouse' : `roundhouse ${pool}`;
  if (node === undefined) return name;
  const [, host = node, number = ''] = /^(.*)(#\d+)$/.exec(node) ?? [];
  return `${name} ${host.slice(0, MOST_NAME_CHARACTERS - name.length - 1 - number.length)}${number}`;
}

/** Each connection that leaves the pool carries the actor of that moment. */
function nameActors(pool: WriterPool, actor: () => string): void {
  const connect = pool.connect.bind(pool) as () => Promise<PoolClient>;
  const carried = new WeakMap<PoolClient, string>();
  const take = async (wanted: string): Promise<PoolClient> => {
    const client = await connect();
    if (carried.get(client) === wanted) return client;
    try {
      await client.query("SELECT set_config('roundhouse.actor', $1, false)", [wanted]);
    } catch (error) {
      client.release(error as Error);
      throw error;
    }
    carried.set(client, wanted);
    return client;
  };
  type Taken = (error: Error | undefined, client?: PoolClient, release?: PoolClient['release']) => void;
  // pg's own query() passes a callback, Prisma's transactions wait for the promise.
  const connectAsActor = (taken?: Taken) => {
    const taking = take(actor());
    if (taken === undefined) return taking;
    taking.then((client) => taken(undefined, client, client.release), taken);
    return undefined;
  };
  pool.connect = connectAsActor as typeof pool.connect;
}

/** A lease is a short statement, and must arrive in time. */
function halfOf({ connectMs, statementMs, silenceMs, awayMs }: ConnectionLimits): ConnectionLimits {
  return { connectMs: connectMs / 2, statementMs: statementMs / 2, silenceMs: silenceMs / 2, awayMs };
}

/** Throws the database's own error when it does not respond. */
export async function requireConnection(db: Pick<Database, '$queryRaw'>): Promise<void> {
  await db.$queryRaw`SELECT 1`;
}

/** Reads the clock that sets created_at and settled_at. */
export async function databaseClock(db: Database): Promise<Date> {
  const [row] = await db.$queryRaw<{ now: Date }[]>`SELECT clock_timestamp() AS now`;
  if (row === undefined) throw new Error('the database returned no time');
  return row.now;
}
