import { Client, type ClientConfig, Pool, type PoolConfig } from 'pg';
import { Writer } from './writer.ts';

/** Time limits for which the process waits for the database, in milliseconds; 0 means no limit. */
export type ConnectionLimits = {
  /** Time limit for getting a connection: a new one, or one of the pool. */
  connectMs: number;
  /**
   * PostgreSQL ends a statement that takes longer, and a little sooner one that waits for a lock.
   */
  statementMs: number;
  /** A connection is closed when a response is due and nothing arrives for this long. */
  silenceMs: number;
  /**
   * Once no server has taken writes for this time, a caller is refused at once. A restart or a
   * failover within it goes unseen.
   */
  awayMs: number;
};

const DEFAULT_STATEMENT_MS = 8_000;
const CONNECT_MS = 5_000;
/**
 * A player gets a response within 2 seconds while the database is away, with time left to send it.
 */
const AWAY_MS = 1_500;
/**
 * The process waits this much longer than PostgreSQL: the error of PostgreSQL says what happened,
 * our time-out does not.
 */
const GRACE_MS = 2_000;
/**
 * TCP keep-alive: the system probes an idle connection after this long, then ten times a second
 * apart.
 */
const KEEP_ALIVE_MS = 10_000;

/** Migrations and reports have no time limit. */
export const NO_LIMITS: ConnectionLimits = { connectMs: 10_000, statementMs: 0, silenceMs: 0, awayMs: 10_000 };

/** A developer's own machine may be busy with a build, and has no other server to turn to. */
export const PATIENT_LIMITS: ConnectionLimits = {
  connectMs: 60_000,
  statementMs: 60_000,
  silenceMs: 60_000,
  awayMs: 60_000,
};

/** Returns the limits of statements that players wait for, by how long one may take. */
export function limitsOf(statementMs = DEFAULT_STATEMENT_MS): ConnectionLimits {
  return { connectMs: CONNECT_MS, statementMs, silenceMs: statementMs + GRACE_MS, awayMs: AWAY_MS };
}

type PoolOptions = Pick<PoolConfig, 'application_name' | 'options'> & {
  writer: Writer;
  connections: number;
  limits: ConnectionLimits;
};

/**
 * Makes every pool of the process. Connections open when they are needed, to the host that takes
 * writes.
 */
export function openPool({ writer, connections, limits, options, ...rest }: PoolOptions): WriterPool {
  const pool = new Pool({
    ...rest,
    ...settingsOf({ url: writer.url, limits, options }),
    max: connections,
    Client: clientOf(writer, limits),
    onConnect: (client) => writer.check(client as Client),
  });
  // An unused connection has broken; the pool replaces it when one is needed.
  pool.on('error', () => {});
  return Object.assign(pool, { writer });
}

export type WriterPool = Pool & { readonly writer: Writer };

/** Returns the class of a pool's clients. They connect to where the writer is at that moment. */
function clientOf(writer: Writer, limits: ConnectionLimits): new (config?: ClientConfig) => Client {
  return class WriterClient extends Client {
    // The pool passes a callback, and uses no result.
    override connect(onConnected?: unknown): never {
      const end = (error?: Error) => {
        if (error) writer.connections.refused(this, error);
        (onConnected as (error?: Error) => void)(error);
      };
      writer.ready(performance.now() + limits.connectMs).then((host) => {
        Object.assign(this, { host: host.host, port: host.port });
        writer.connections.watch(this, limits, host);
        super.connect(end);
      }, end);
      return undefined as never;
    }
  };
}

/**
 * Makes every single connection of the process, for long work. The query in progress reports a
 * break.
 */
export async function openClient(url: string): Promise<Client> {
  const writer = new Writer(url, NO_LIMITS.awayMs);
  const make = (own: string) => new Client(settingsOf({ url: own, limits: NO_LIMITS }));
  try {
    return await writer.connect(make, NO_LIMITS.connectMs);
  } finally {
    writer.close();
  }
}

type Settings = { url: string; limits: ConnectionLimits; options?: string | undefined };

function settingsOf({ url, limits: { connectMs, statementMs }, options = '' }: Settings): PoolConfig {
  return {
    connectionString: url,
    // They must also override limits that the role has. The driver would leave out a setting of 0.
    options: statementMs === 0 ? `${options} -c statement_timeout=0 -c lock_timeout=0` : options,
    connectionTimeoutMillis: connectMs,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
    ...(statementMs > 0 && {
      statement_timeout: statementMs,
      lock_timeout: Math.ceil((statementMs * 7) / 8),
      // This frees the locks of a node that went silent within a transaction.
      idle_in_transaction_session_timeout: statementMs,
    }),
  };
}
