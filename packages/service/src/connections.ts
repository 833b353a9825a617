import type { Socket } from 'node:net';
import { Client, Pool, type PoolConfig } from 'pg';

/** How long we wait for the database, in milliseconds; 0 is without end. */
export type ConnectionLimits = {
  /** For a connection: a new one, or one of the pool. */
  connectMs: number;
  /**
   * PostgreSQL ends a statement that takes longer, and a little sooner one that waits for a lock.
   */
  statementMs: number;
  /** A connection is closed when a response is due and nothing arrives for this long. */
  silenceMs: number;
};

const DEFAULT_STATEMENT_MS = 8_000;
const CONNECT_MS = 5_000;
/**
 * How much longer we wait than PostgreSQL itself does: its own error says what happened, our
 * time-out does not.
 */
const GRACE_MS = 2_000;
/**
 * TCP keep-alive: the system probes an idle connection after this long, then ten times a second
 * apart.
 */
const KEEP_ALIVE_MS = 10_000;

/** For migrations and reports, which have no time limit. */
export const NO_LIMITS: ConnectionLimits = { connectMs: 10_000, statementMs: 0, silenceMs: 0 };

/** For statements that players wait for, by how long one may take. */
export function limitsOf(statementMs = DEFAULT_STATEMENT_MS): ConnectionLimits {
  return { connectMs: CONNECT_MS, statementMs, silenceMs: statementMs + GRACE_MS };
}

type PoolOptions = Pick<PoolConfig, 'application_name' | 'options'> & {
  url: string;
  connections: number;
  limits: ConnectionLimits;
  /** Called when an unused connection breaks; the pool replaces it when one is needed. */
  onError?: (error: Error) => void;
};

/** Makes every pool of the process. Connections open when they are needed. */
export function openPool({ url, connections, limits, options, onError = () => {}, ...rest }: PoolOptions): Pool {
  const pool = new Pool({ ...rest, ...settingsOf({ url, limits, options }), max: connections });
  pool.on('error', onError);
  const open = new Set<Client>();
  pool.on('connect', (client) => {
    open.add(client);
    client.once('end', () => open.delete(client));
    // The pool listens to idle connections only: the break of one in use would end the process.
    client.on('error', () => {});
    // When one is silent the idle ones are too: each would delay another player.
    endSilence(client, limits, () => [...open].filter(isIdle));
  });
  return pool;
}

/**
 * Makes every single connection of the process, for long work. The query in progress reports a
 * break.
 */
export async function openClient(url: string): Promise<Client> {
  const client = new Client(settingsOf({ url, limits: NO_LIMITS }));
  client.on('error', () => {});
  await client.connect();
  return client;
}

type Settings = Pick<PoolOptions, 'url' | 'limits' | 'options'>;

function settingsOf({ url, limits: { connectMs, statementMs }, options = '' }: Settings): PoolConfig {
  return {
    connectionString: url,
    // Also when the role has limits of its own. As settings the driver would leave a 0 out.
    options: statementMs === 0 ? `${options} -c statement_timeout=0 -c lock_timeout=0` : options,
    connectionTimeoutMillis: connectMs,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
    ...(statementMs > 0 && {
      statement_timeout: statementMs,
      lock_timeout: Math.ceil((statementMs * 7) / 8),
      // Frees the locks of a node that went silent within a transaction.
      idle_in_transaction_session_timeout: statementMs,
    }),
  };
}

/**
 * Turns silence into a break, which the query in progress reports. The driver's own query_timeout
 * is not enough: after it a transaction returns the connection to the pool, where the next query
 * waits behind the unfinished one.
 */
function endSilence(client: Client, { silenceMs }: ConnectionLimits, others: () => Client[]): void {
  if (silenceMs === 0) return;
  const socket = socketOf(client);
  socket.setTimeout(silenceMs);
  socket.on('timeout', () => {
    // A connection without a query may be silent, for example one that listens.
    if (isIdle(client) && !socket.writableEnded) return;
    const silence = new Error(`the database has not answered for ${silenceMs} ms`);
    for (const each of [client, ...others()]) socketOf(each).destroy(silence);
  });
}

function socketOf(client: Client): Socket {
  return client.connection.stream as Socket;
}

function isIdle(client: Client): boolean {
  return (client as Client & { readyForQuery: boolean }).readyForQuery;
}
