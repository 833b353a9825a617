import type { Socket } from 'node:net';
import { Client, type ClientConfig, Pool, type PoolConfig } from 'pg';

const CONNECT_TIMEOUT_MS = 5_000;
/** Of a statement and of a transaction; the wait for a lock is ended a little sooner, so that the error names it. */
export const STATEMENT_TIMEOUT_MS = 20_000;
const LOCK_TIMEOUT_MS = 18_000;
/** A connection that owes an answer and on which nothing comes for this long is thrown away. */
const SILENCE_MS = 22_000;
const KEEP_ALIVE_MS = 10_000;

const ALIVE: ClientConfig = {
  connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
  keepAlive: true,
  keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
};

/** Every pool of ours. A connection that breaks is replaced when it is needed. */
export function openPool(config: PoolConfig): Pool {
  const pool = new Pool({
    ...ALIVE,
    statement_timeout: STATEMENT_TIMEOUT_MS,
    lock_timeout: LOCK_TIMEOUT_MS,
    idle_in_transaction_session_timeout: STATEMENT_TIMEOUT_MS,
    ...config,
  });
  pool.on('error', () => {});
  pool.on('connect', (client) => {
    // The pool listens to idle connections only: one that breaks while it is in use would end the process.
    client.on('error', () => {});
    endSilence(client);
  });
  return pool;
}

/** A single connection, for what may take long. The query that a break breaks reports it. */
export async function openClient(connectionString: string): Promise<Client> {
  const client = new Client({ ...ALIVE, connectionString });
  client.on('error', () => {});
  await client.connect();
  return client;
}

/** The driver's own query_timeout would leave a connection in the pool that still owes an answer. */
function endSilence(client: Client): void {
  const socket = client.connection.stream as Socket;
  socket.setTimeout(SILENCE_MS);
  socket.on('timeout', () => {
    const { readyForQuery } = client as Client & { readyForQuery: boolean };
    if (readyForQuery && !socket.writableEnded) return;
    socket.destroy(new Error(`the database has not answered for ${SILENCE_MS} ms`));
  });
}
