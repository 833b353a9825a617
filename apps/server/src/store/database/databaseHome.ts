import { ID_SEQUENCES } from '../cells/cell.ts';
import type { Prisma } from '../generated/client.ts';
import type { Database } from './database.ts';

export type DatabaseHome = {
  /** A database and all of its copies have the same lineage. */
  lineage: string;
  /** The database is at a new place, and nobody has confirmed that its rounds may go on there. */
  isRestored: boolean;
};

type Place = { systemIdentifier: string | null; databaseOid: bigint; tableOid: bigint };

/** Both wires show ids of rounds as JSON numbers. */
const MAX_ROUND_ID = BigInt(Number.MAX_SAFE_INTEGER);

/** Returns the place of the database; the first call stores it. */
export async function findHome(db: Database): Promise<DatabaseHome> {
  const place = await currentPlace(db);
  await db.databaseHome.createMany({ data: place, skipDuplicates: true });
  const home = await db.databaseHome.findUniqueOrThrow({ where: { onlyRow: true } });
  return { lineage: home.lineage, isRestored: !isSamePlace(home, place) };
}

/**
 * Confirms a restored database at its new place. Its round ids go on `skip` above its last one, and
 * no earlier server seed draws again. Returns the last skipped id. Returns undefined, and changes
 * nothing, when fewer ids than that are left.
 */
export async function settleHome(db: Database, { skip }: { skip: bigint }): Promise<bigint | undefined> {
  const place = await currentPlace(db);
  return db.$transaction(async (tx) => {
    await lock(tx);
    const { last, largest } = await findRoundIDs(tx);
    const next = last + skip;
    if (next > largest) return undefined;
    await setLastRoundID(tx, next);
    await skipOtherIDs(tx, skip);
    await endSeedPeriods(tx);
    await tx.databaseHome.upsert({ where: { onlyRow: true }, create: place, update: { ...place, since: new Date() } });
    return next;
  });
}

/**
 * Lets round ids go on `skip` above `seen`, when the last id of the database is below `seen`; no
 * earlier server seed draws again. One of several callers does it.
 * @throws when the cell may give no ids above `seen`: it has lost one of its numbers
 */
export async function catchUp(db: Database, { seen, skip }: { seen: bigint; skip: bigint }): Promise<void> {
  await db.$transaction(async (tx) => {
    await lock(tx);
    const { last, largest } = await findRoundIDs(tx);
    if (last >= seen) return;
    if (seen + skip > largest) throw new Error(`no round ids are left above ${seen}: this database ends at ${largest}`);
    await setLastRoundID(tx, seen + skip);
    await skipOtherIDs(tx, skip);
    await endSeedPeriods(tx);
  });
}

export type RoundIDs = {
  /** The last committed round has this id; 0 before the first. */
  kept: bigint;
  /** The last id may be that of a round that was rolled back. New rounds get later ones. */
  last: bigint;
  /** Higher ids belong to other cells, or are no exact numbers in JSON. */
  largest: bigint;
};

export async function findRoundIDs(db: Database | Prisma.TransactionClient): Promise<RoundIDs> {
  const [row] = await db.$queryRaw<RoundIDs[]>`
    SELECT r.kept, greatest(r.kept, i.last_value - (NOT i.is_called)::integer) AS last,
      least(s.seqmax, ${MAX_ROUND_ID}::bigint) AS largest
    FROM rounds_id_seq i
    JOIN pg_sequence s ON s.seqrelid = 'rounds_id_seq'::regclass
    CROSS JOIN (SELECT coalesce(max(id), 0) AS kept FROM rounds) AS r`;
  if (row === undefined) throw new Error('the sequence of round ids is missing');
  return row;
}

/** A cell may have given the ids of other rows to players that have moved to another cell since. */
async function skipOtherIDs(tx: Prisma.TransactionClient, skip: bigint): Promise<void> {
  const names = ID_SEQUENCES.filter((name) => name !== 'rounds_id_seq');
  await tx.$queryRaw`
    SELECT setval(sequencename::regclass, coalesce(last_value, min_value - 1) + ${skip}::bigint)
    FROM pg_sequences, cell
    WHERE schemaname = current_schema() AND sequencename = ANY (${names}::text[])`;
}

async function setLastRoundID(tx: Prisma.TransactionClient, id: bigint): Promise<void> {
  await tx.$queryRaw`SELECT setval('rounds_id_seq', ${id}::bigint)`;
}

async function endSeedPeriods(tx: Prisma.TransactionClient): Promise<void> {
  await tx.$executeRaw`SELECT end_seed_periods()`;
}

async function lock(tx: Prisma.TransactionClient): Promise<void> {
  await tx.$executeRaw`LOCK TABLE database_home IN SHARE ROW EXCLUSIVE MODE`;
}

async function currentPlace(db: Database): Promise<Place> {
  const [row] = await db.$queryRaw<(Omit<Place, 'systemIdentifier'> & { mayAsk: boolean })[]>`
    SELECT d.oid::bigint AS "databaseOid", 'database_home'::regclass::oid::bigint AS "tableOid",
      has_function_privilege('pg_control_system()', 'EXECUTE') AS "mayAsk"
    FROM pg_database d
    WHERE d.datname = current_database()`;
  if (row === undefined) throw new Error('the database is not in pg_database');
  const { databaseOid, tableOid, mayAsk } = row;
  const [cluster] = mayAsk
    ? await db.$queryRaw<{ id: string }[]>`SELECT system_identifier::text AS id FROM pg_control_system()`
    : [];
  return { databaseOid, tableOid, systemIdentifier: cluster?.id ?? null };
}

function isSamePlace(a: Place, b: Place): boolean {
  const isSameTable = a.databaseOid === b.databaseOid && a.tableOid === b.tableOid;
  return isSameTable && mayBeSame(a.systemIdentifier, b.systemIdentifier);
}

function mayBeSame(a: string | null, b: string | null): boolean {
  return a === b || a === null || b === null;
}

/**
 * A database says this about itself, in JSON. It is the same through every address that leads to
 * the database, and after a failover. A copy has another one, unless its files were copied.
 */
export type DatabaseIdentity = {
  /** It is null when the role may not read it. */
  systemIdentifier: string | null;
  databaseOid: string;
  tableOid: string;
  /** It is null until `serve` has stored one. */
  lineage: string | null;
};

/** Changes nothing. The database must be migrated. */
export async function findIdentity(db: Database): Promise<DatabaseIdentity> {
  const { systemIdentifier, databaseOid, tableOid } = await currentPlace(db);
  const home = await db.databaseHome.findUnique({ where: { onlyRow: true } });
  return {
    systemIdentifier,
    databaseOid: `${databaseOid}`,
    tableOid: `${tableOid}`,
    lineage: home?.lineage ?? null,
  };
}

export function isSameDatabase(a: DatabaseIdentity, b: DatabaseIdentity): boolean {
  const isSameTable = a.databaseOid === b.databaseOid && a.tableOid === b.tableOid;
  return isSameTable && mayBeSame(a.systemIdentifier, b.systemIdentifier) && mayBeSame(a.lineage, b.lineage);
}

/**
 * Rejects when the database cannot be reached. The players' pool is not used: there it would wait
 * behind them, and hold one of their connections while the database is silent.
 */
export async function ping(db: Database): Promise<void> {
  await db.anonymous.query('SELECT 1');
}

/** standbys: the number that is connected and confirms commits. */
export type Replication = { names: string; commit: string; maySee: boolean; standbys: number };

export async function findReplication(db: Database): Promise<Replication> {
  const { rows } = await db.pool.query<Replication>(
    `SELECT current_setting('synchronous_standby_names') AS names, current_setting('synchronous_commit') AS commit,
       pg_has_role('pg_read_all_stats', 'USAGE') AS "maySee",
       (SELECT count(*)::int FROM pg_stat_replication WHERE sync_state IN ('sync', 'quorum')) AS standbys`,
  );
  return rows[0] as Replication;
}

/** Returns the version of PostgreSQL, like "15.18". */
export async function findServerVersion(db: Database): Promise<string> {
  const [row] = await db.$queryRaw<{ version: string }[]>`SELECT current_setting('server_version') AS version`;
  return row?.version ?? '';
}

/** Returns the bytes that the files of the database take. */
export async function findDatabaseBytes(db: Database): Promise<number> {
  const [row] = await db.$queryRaw<{ bytes: number }[]>`
    SELECT pg_database_size(current_database())::double precision AS bytes`;
  if (row === undefined) throw new Error('the database returned no size');
  return row.bytes;
}
