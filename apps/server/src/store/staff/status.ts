import type { Database } from '../database/database.ts';

type Reader = Pick<Database, '$queryRaw'>;

/** What PostgreSQL says about itself. It needs no table of ours. */
export type DatabaseServer = {
  /** The clock of the database says this time. */
  at: Date;
  /** For example "15.18". */
  version: string;
  /** A standby takes no writes. */
  isStandby: boolean;
  /** How old the last transaction is that a standby has; null on a primary. */
  behindSeconds: number | null;
  sizeBytes: bigint;
  /** Counts clients' connections to all databases of the server. */
  connections: number;
  maxConnections: number;
  /** The oldest transaction of this database that the role may see; null when there is none. */
  longestTransactionSeconds: number | null;
  /** The role may see the transactions of others, and the standbys. */
  maySee: boolean;
  /** Empty when no commit waits for a standby. */
  synchronousNames: string;
  synchronousCommit: string;
};

export async function readDatabaseServer(db: Reader): Promise<DatabaseServer> {
  const [row] = await db.$queryRaw<DatabaseServer[]>`
    SELECT clock_timestamp() AS at, split_part(current_setting('server_version'), ' ', 1) AS version,
      pg_is_in_recovery() AS "isStandby",
      CASE
        WHEN pg_is_in_recovery()
          THEN greatest(extract(epoch FROM clock_timestamp() - pg_last_xact_replay_timestamp()), 0)::float
      END AS "behindSeconds",
      pg_database_size(current_database()) AS "sizeBytes",
      (
        SELECT count(*)::integer
        FROM pg_stat_activity
        WHERE datid IS NOT NULL AND coalesce(backend_type, 'client backend') = 'client backend'
      ) AS connections,
      current_setting('max_connections')::integer AS "maxConnections",
      (
        SELECT extract(epoch FROM clock_timestamp() - min(xact_start))::float
        FROM pg_stat_activity
        WHERE datname = current_database() AND backend_type = 'client backend' AND pid <> pg_backend_pid()
      ) AS "longestTransactionSeconds",
      pg_has_role('pg_read_all_stats', 'USAGE') AS "maySee",
      current_setting('synchronous_standby_names') AS "synchronousNames",
      current_setting('synchronous_commit') AS "synchronousCommit"`;
  if (row === undefined) throw new Error('the database says nothing about itself');
  return row;
}

/** Returns the names of all connections to this database. Every role may see them. */
export async function findApplicationNames(db: Reader): Promise<string[]> {
  const rows = await db.$queryRaw<{ name: string }[]>`
    SELECT DISTINCT application_name AS name
    FROM pg_stat_activity
    WHERE datname = current_database()`;
  return rows.map(({ name }) => name);
}

/** A standby that is connected to a primary. A role that may not see it gets null. */
export type Standby = {
  name: string;
  state: string | null;
  /** `sync` and `quorum` confirm commits, `async` and `potential` do not. */
  syncState: string | null;
  lagSeconds: number | null;
  lagBytes: bigint | null;
};

/** Returns none on a standby. */
export function listStandbys(db: Reader): Promise<Standby[]> {
  return db.$queryRaw<Standby[]>`
    SELECT coalesce(nullif(application_name, ''), host(client_addr), 'standby') AS name,
      state, sync_state AS "syncState",
      extract(epoch FROM replay_lag)::float AS "lagSeconds",
      CASE WHEN NOT pg_is_in_recovery() THEN pg_wal_lsn_diff(pg_current_wal_lsn(), replay_lsn)::bigint END AS "lagBytes"
    FROM pg_stat_replication
    ORDER BY 1`;
}

/** These count what is younger than ten minutes, an hour, a day; and what is older. */
export type OpenRoundAges = { tenMinutes: number; hour: number; day: number; older: number };

/**
 * Counts the open rounds of all operators, from their index. By operator it would take ten times as
 * long: the account of each has the operator.
 */
export async function countAllOpenRounds(db: Reader): Promise<OpenRoundAges> {
  const [row] = await db.$queryRaw<OpenRoundAges[]>`
    SELECT count(*) FILTER (WHERE age < interval '10 minutes')::integer AS "tenMinutes",
      count(*) FILTER (WHERE age >= interval '10 minutes' AND age < interval '1 hour')::integer AS hour,
      count(*) FILTER (WHERE age >= interval '1 hour' AND age < interval '24 hours')::integer AS day,
      count(*) FILTER (WHERE age >= interval '24 hours')::integer AS older
    FROM (SELECT now() - opened_at AS age FROM rounds WHERE ended_at IS NULL) r`;
  if (row === undefined) throw new Error('the database returned no counts');
  return row;
}

/** Returns when the newest round was opened; null before the first. */
export async function findLastRoundAt(db: Reader): Promise<Date | null> {
  const [row] = await db.$queryRaw<{ at: Date }[]>`SELECT opened_at AS at FROM rounds ORDER BY id DESC LIMIT 1`;
  return row?.at ?? null;
}

/** Older approvals have expired, or there are more than anybody decides. */
const APPROVALS_LOOKED_AT = 1_000;

/** Counts requests of users of the console that wait for a second user. */
export async function countWaitingApprovals(db: Reader): Promise<number> {
  const [row] = await db.$queryRaw<{ count: number }[]>`
    SELECT count(*)::integer
    FROM (SELECT state, expires_at FROM console_approvals ORDER BY id DESC LIMIT ${APPROVALS_LOOKED_AT}) a
    WHERE state = 'waiting' AND expires_at > now()`;
  return row?.count ?? 0;
}
