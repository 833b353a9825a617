import { expect, test as it } from 'vitest';
import type { Database } from '../../src/ledger/database.ts';
import { findRound } from '../../src/ledger/queries/rounds.ts';
import { countUnsettled } from '../../src/ledger/queries/walletTransactions.ts';
import { KNOWN, ROUNDS, UNSETTLED, useMillionRounds } from '../support/millionRounds.ts';
import { LARGE_TABLES, type LargeTable } from '../support/rowsRead.ts';

const ledger = useMillionRounds();

/**
 * Each query of the console has a line: what it is, how it is called, and the most rows that it may
 * read of each large table. A table without a number must not be read at all.
 */
type Line = [what: string, query: (db: Database) => Promise<unknown>, most: Partial<Record<LargeTable, number>>];

const QUERIES: Line[] = [
  ['a round', (db) => findRound(db, KNOWN.round), { rounds: 1, round_events: 1 }],
  ['an archived round', (db) => findRound(db, KNOWN.archivedRound), { archived_rounds: 1, archived_round_events: 1 }],
  [
    'the counts of unsettled wallet transactions',
    (db) => countUnsettled(db),
    { wallet_transactions: UNSETTLED, rounds: UNSETTLED, accounts: UNSETTLED },
  ],
];

/** The planner looks at the ends of some indexes of the tables in a query. */
const LOOKED_AT_BY_PLANNER = 20;

it.each(QUERIES)('%s reads no more than it shows', async (_what, query, most) => {
  const { rows, scanned } = await ledger.rowsRead(query);
  expect(scanned, 'read from end to end').toEqual([]);
  const tooMany = Object.entries(rows).filter(([table, read]) => {
    const allowed = most[table as LargeTable];
    return allowed === undefined || read > allowed + LOOKED_AT_BY_PLANNER;
  });
  expect(tooMany, JSON.stringify(rows)).toEqual([]);
});

it('the database of this file is as large as it says, and a scan of it is seen', async () => {
  const { rows, scanned } = await ledger.rowsRead((db) => db.$queryRaw`SELECT count(mode) FROM rounds`);
  expect({ rows, scanned }).toEqual({ rows: { rounds: ROUNDS }, scanned: ['rounds'] });
  const sizes = await ledger.rowsRead((db) =>
    Promise.all(LARGE_TABLES.map((table) => db.$queryRawUnsafe(`SELECT count(*) FROM ${table}`))),
  );
  expect(Object.keys(sizes.rows).sort()).toEqual([...LARGE_TABLES].sort());
  expect(Math.min(...Object.values(sizes.rows))).toBeGreaterThan(4_000);
});

it('entries of an index that is read alone count, and so do those of a transaction within', async () => {
  const { rows } = await ledger.rowsRead((db) =>
    db.$transaction(
      (tx) => tx.$queryRaw`SELECT count(*) FROM rounds WHERE id > ${KNOWN.round} AND id <= ${KNOWN.round + 100n}`,
    ),
  );
  expect(rows).toEqual({ rounds: 100 });
});
