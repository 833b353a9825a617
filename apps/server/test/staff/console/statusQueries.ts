import { readStored } from '../../../src/staff/status/readFacts.ts';
import type { Database } from '../../../src/store/database/database.ts';
import {
  countAllOpenRounds,
  countWaitingApprovals,
  findLastRoundAt,
  listStandbys,
  readDatabaseServer,
} from '../../../src/store/staff/status.ts';
import { OPEN, UNSETTLED } from '../../support/millionRounds.ts';
import type { LargeTable } from '../../support/rowsRead.ts';

type Line = [what: string, query: (db: Database) => Promise<unknown>, most: Partial<Record<LargeTable, number>>];

/** The lines of `roundhouse status` for rowsRead.test.ts. */
export const STATUS_QUERIES: Line[] = [
  ['the status: the server of the database', (db) => readDatabaseServer(db), {}],
  ['the status: standbys', (db) => listStandbys(db), {}],
  ['the status: open rounds', (db) => countAllOpenRounds(db), { rounds: OPEN }],
  ['the status: the last round', (db) => findLastRoundAt(db), { rounds: 1 }],
  ['the status: approvals', (db) => countWaitingApprovals(db), {}],
  [
    'the status: all of it',
    (db) => readStored(db, [], new Date()),
    {
      rounds: OPEN + UNSETTLED + 1,
      // The planner looks at their ends for each query.
      ...{ wallet_transactions: UNSETTLED + 100, accounts: UNSETTLED, significant_events: 2 * 100 + 2 * 20 + 3 * 100 },
    },
  ],
];
