import type { Database } from '../../src/store/database/database.ts';

/** These tables grow with play, or with time: nothing that a person waits for may scan them. */
export const LARGE_TABLES = [
  ...['rounds', 'round_events', 'transfers', 'wallet_transactions'],
  ...['archived_rounds', 'archived_round_events', 'archived_transfers', 'archived_wallet_transactions'],
  ...['players', 'accounts', 'sessions', 'launches', 'grants', 'significant_events'],
] as const;

export type LargeTable = (typeof LARGE_TABLES)[number];

type RowsRead = {
  /**
   * The index entries or rows read in each large table, whichever are more. Tables that were not
   * read are absent.
   */
  rows: Partial<Record<LargeTable, number>>;
  /** These large tables were read from end to end. */
  scanned: LargeTable[];
};

export type RowCounter = {
  db: Database;
  /** Runs the work with a database whose statements all belong to one transaction, and counts. */
  rowsRead(work: (db: Database) => Promise<unknown>): Promise<RowsRead>;
};

// An index-only scan fetches no row, so the entries that it reads count as well.
const COUNT = `
SELECT s.relname AS name, s.seq_scan::integer AS scans, (s.seq_tup_read + greatest(coalesce(s.idx_tup_fetch, 0), coalesce((
  SELECT sum(pg_stat_get_xact_tuples_returned(i.indexrelid)) FROM pg_index i
  WHERE i.indrelid = s.relid AND (SELECT amname FROM pg_am a JOIN pg_class c ON c.relam = a.oid WHERE c.oid = i.indexrelid) = 'btree'
), 0)))::integer AS rows
FROM pg_stat_xact_user_tables s WHERE s.relname = ANY ($1::text[])`;

/** Counts rows on the one connection of this database. */
export function createRowCounter(db: Database): RowCounter {
  // With one connection, all statements between BEGIN and ROLLBACK are of one transaction; a
  // transaction within it joins it.
  const joined: Database = Object.create(db, {
    $transaction: {
      value: async (work: ((tx: Database) => unknown) | Promise<unknown>[]) =>
        typeof work === 'function' ? work(joined) : Promise.all(work),
    },
  });
  return {
    db,
    async rowsRead(work) {
      // Workers of a parallel scan would count for themselves.
      await db.pool.query('BEGIN; SET LOCAL max_parallel_workers_per_gather = 0');
      try {
        // The server may still hold counts of the transactions before.
        const before = new Map((await count(db)).map((row) => [row.name, row]));
        await work(joined);
        const read = (await count(db)).map(({ name, scans, rows }) => ({
          name,
          scans: scans - (before.get(name)?.scans ?? 0),
          rows: rows - (before.get(name)?.rows ?? 0),
        }));
        return {
          rows: Object.fromEntries(read.filter(({ rows }) => rows > 0).map(({ name, rows }) => [name, rows])),
          scanned: read.filter(({ scans }) => scans > 0).map(({ name }) => name),
        };
      } finally {
        await db.pool.query('ROLLBACK');
      }
    },
  };
}

async function count(db: Database) {
  const { rows } = await db.pool.query<{ name: LargeTable; scans: number; rows: number }>(COUNT, [LARGE_TABLES]);
  return rows;
}
