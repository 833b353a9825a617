import { CELL_SHIFT, type Fleet, fleetSchema } from '@roundhouse/fleet';
import type { ClientBase } from 'pg';

/** The database is this cell of a fleet; the nodes of the cell read the fleet here. */
export type StoredCell = {
  /** New rows have ids of the last number; the first number identifies the cell. */
  numbers: number[];
  fleetVersion: number;
  fleet: Fleet;
};

type Queries = Pick<ClientBase, 'query'>;

/**
 * Returns undefined for a database that belongs to no fleet.
 * @throws when a newer version of the server has stored the fleet, and this one cannot read it
 */
export async function findCell(client: Queries): Promise<StoredCell | undefined> {
  const { rows } = await client.query<StoredCell>('SELECT numbers, fleet_version AS "fleetVersion", fleet FROM cell');
  const [row] = rows;
  if (row === undefined) return undefined;
  // The schema gives the keys their order: jsonb has another one.
  const { success, data: fleet } = fleetSchema.safeParse(row.fleet);
  if (!success) throw new Error('the database holds a fleet that this version of the server cannot read');
  return { ...row, fleet };
}

/** Stores which cell the database is. */
export async function storeCell(client: Queries, { numbers, fleetVersion, fleet }: StoredCell): Promise<void> {
  await client.query(
    `INSERT INTO cell (numbers, fleet_version, fleet) VALUES ($1, $2, $3)
     ON CONFLICT (only_row) DO UPDATE SET numbers = $1, fleet_version = $2, fleet = $3`,
    [numbers, fleetVersion, JSON.stringify(fleet)],
  );
}

/** Rows of these tables can move to another cell, so no two cells make the same id. */
const TABLES_OF_IDS = [
  'players',
  'accounts',
  'fair_seeds',
  'fair_client_seeds',
  'sessions',
  'rounds',
  'transfers',
  'grants',
] as const;

export const ID_SEQUENCES = TABLES_OF_IDS.map((table) => `${table}_id_seq`);

/** These have ids of the same sequences. */
const ARCHIVES = ['archived_rounds', 'archived_transfers'] as const;

/** A sequence gives the ids from min to max; next is the one that it gives next. */
export type IdSequence = { table: string; name: string; start: bigint; min: bigint; max: bigint; next: bigint };

/** Returns the sequences of all ids that no other cell may make. */
export async function findIdSequences(client: Queries): Promise<IdSequence[]> {
  const states = TABLES_OF_IDS.map(
    (table) => `SELECT '${table}' AS "table", last_value, is_called FROM ${table}_id_seq`,
  ).join(' UNION ALL ');
  const { rows } = await client.query<Record<keyof IdSequence, string>>(
    `SELECT state."table", state."table" || '_id_seq' AS name, s.seqstart AS start, s.seqmin AS min, s.seqmax AS max,
       state.last_value + state.is_called::int AS next
     FROM (${states}) state
     JOIN pg_sequence s ON s.seqrelid = (state."table" || '_id_seq')::regclass
     ORDER BY s.seqrelid`,
  );
  return rows.map(({ table, name, start, min, max, next }) => ({
    table,
    name,
    start: BigInt(start),
    min: BigInt(min),
    max: BigInt(max),
    next: BigInt(next),
  }));
}

/** Lets a sequence give ids of this range; one that is below the range begins with its first id. */
export async function setIdRange(
  client: Queries,
  { name, next }: Pick<IdSequence, 'name' | 'next'>,
  { first, last }: { first: bigint; last: bigint },
): Promise<void> {
  const restart = next < first ? 'RESTART' : '';
  await client.query(`ALTER SEQUENCE ${name} MINVALUE ${first} MAXVALUE ${last} START ${first} ${restart}`);
}

export type IdNumber = { table: string; number: number };

/** Returns the numbers of cells in the ids of each table, by a few look-ups in its primary key. */
export async function findIdNumbers(client: Queries): Promise<IdNumber[]> {
  const found: IdNumber[] = [];
  for (const table of [...TABLES_OF_IDS, ...ARCHIVES]) {
    const { rows } = await client.query<{ number: number }>(
      `WITH RECURSIVE of_number AS (
         SELECT (SELECT id FROM ${table} ORDER BY id LIMIT 1) AS id
         UNION ALL
         SELECT (
           SELECT t.id
           FROM ${table} t
           WHERE t.id >= ((o.id >> ${CELL_SHIFT}) + 1) << ${CELL_SHIFT}
           ORDER BY t.id LIMIT 1
         )
         FROM of_number o
         WHERE o.id IS NOT NULL
       )
       SELECT (id >> ${CELL_SHIFT})::int AS number
       FROM of_number
       WHERE id IS NOT NULL`,
    );
    for (const { number } of rows) found.push({ table, number });
  }
  return found;
}
