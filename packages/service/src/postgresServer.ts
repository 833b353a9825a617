import type { Socket } from 'node:net';
import type { Client } from 'pg';
import type { Host } from './hosts.ts';
import { StartError } from './runUntilStopped.ts';

/** A running PostgreSQL is another server after each restart and each promotion. */
export type Server = { host: Host; startedAt: string; timeline: string };

// A timeline is the count of promotions, 8 digits of hexadecimal.
const INSPECT = `
SELECT pg_backend_pid() AS pid, extract(epoch FROM pg_postmaster_start_time())::text AS "startedAt",
  pg_is_in_recovery() OR current_setting('transaction_read_only')::boolean AS "isReadOnly",
  CASE WHEN pg_is_in_recovery() THEN '' ELSE left(pg_walfile_name(pg_current_wal_lsn()), 8) END AS timeline`;

/**
 * Asks the server behind a connection about itself.
 * @throws StartError behind a connection pooler.
 */
export async function inspect(client: Client, host: Host): Promise<Server & { isReadOnly: boolean }> {
  const { rows } = await client.query<{ pid: number; startedAt: string; isReadOnly: boolean; timeline: string }>(
    INSPECT,
  );
  const [row] = rows;
  if (row === undefined) throw new Error('the database says nothing about itself');
  const { pid, ...server } = row;
  if (pid !== pidOf(client)) throw new StartError(BEHIND_POOLER);
  return { host, ...server };
}

export const BEHIND_POOLER =
  'A connection pooler such as PgBouncer stands before the database. Roundhouse has its own pool: give it the address of PostgreSQL itself.';

export function isSame(one: Server | undefined, other: Server | undefined): boolean {
  return (
    one !== undefined &&
    other !== undefined &&
    one.host === other.host &&
    one.startedAt === other.startedAt &&
    one.timeline === other.timeline
  );
}

/**
 * What happened to the server that takes writes. returned: the same one is back. restarted: it has
 * started again. promoted: a standby has become the primary, which begins a timeline. moved:
 * another address leads to a server of the same timeline.
 */
export type ServerChange = 'returned' | 'restarted' | 'promoted' | 'moved';

/** Tells a restart from a promotion, by what both servers say about themselves. */
export function changeOf(before: Server, now: Server): ServerChange {
  if (isSame(before, now)) return 'returned';
  const isOtherHost = before.host !== now.host;
  // A standby reports no timeline, so a first timeline from another host is not a promotion
  // (decision 018).
  if (now.timeline > before.timeline && !(before.timeline === '' && isOtherHost)) return 'promoted';
  return isOtherHost ? 'moved' : 'restarted';
}

export function socketOf(client: Client): Socket {
  return client.connection.stream as Socket;
}

/** Returns the process of PostgreSQL that serves a connection. */
export function pidOf(client: Client): number | null {
  return (client as Client & { processID: number | null }).processID;
}

/** No query is under way on the connection. */
export function isIdle(client: Client): boolean {
  return (client as Client & { readyForQuery: boolean }).readyForQuery;
}
