import { retryParked } from '../../../src/ledger/parked.ts';
import type { Database } from '../../../src/store/database/database.ts';
import {
  findShownTransactions,
  lastChangesByPerson,
  listOfRounds,
  listUnsettled,
  type TransactionsWanted,
} from '../../../src/store/staff/walletTransactionList.ts';
import { pageOfEvents } from '../../../src/store/watch/significantEvents.ts';
import { KNOWN, UNSETTLED } from '../../support/millionRounds.ts';
import type { LargeTable } from '../../support/rowsRead.ts';

type Line = [what: string, query: (db: Database) => Promise<unknown>, most: Partial<Record<LargeTable, number>>];

const LIMIT = 50;
/** A page looks for one row more, to know whether there is another page. */
const PAGE = LIMIT + 1;
/** One page of these lists reads at most this number of rows, whatever its filter leaves out. */
const SPAN = { transactions: 5_000, roundsOfPlayer: 1_000, events: 10_000 };
const DAY_MS = 86_400_000;

const ANY: TransactionsWanted = {
  ...{ operatorID: undefined, externalID: undefined, kind: undefined, from: undefined, to: undefined },
  ...{ minAmount: undefined, maxAmount: undefined, limit: LIMIT, after: undefined },
};
const BIG = { ...ANY, operatorID: KNOWN.operatorIDs.big };
const SMALL = { ...ANY, operatorID: KNOWN.operatorIDs.small };
const LAST_DAY = new Date(Date.now() - DAY_MS);

/** Each row of a page is found, and then read with what belongs to it. */
const OF_PAGE = {
  ...{ wallet_transactions: 3 * PAGE, rounds: 3 * PAGE, accounts: 2 * PAGE, players: 2 * PAGE },
  ...{ archived_rounds: PAGE, archived_wallet_transactions: 2 * PAGE },
};
const OF_WALK = {
  ...{
    wallet_transactions: 4 * SPAN.transactions,
    rounds: 2 * SPAN.transactions + PAGE,
    accounts: 2 * SPAN.transactions,
  },
  ...{ players: 2 * SPAN.transactions, archived_rounds: PAGE, archived_wallet_transactions: 2 * PAGE },
};
const OF_UNSETTLED = { ...OF_WALK, wallet_transactions: 3 * UNSETTLED, rounds: UNSETTLED + PAGE };

const eventAt = (id: number) => (db: Database) =>
  pageOfEvents(db, {
    limit: LIMIT,
    before: BigInt(id),
    operator: { operatorID: 2, operatorCode: KNOWN.operators.big },
  });

/** The queries of wallet transactions and significant events. */
export const MONEY_QUERIES: Line[] = [
  // They are all due at one instant here, and so sorted by their ids.
  [
    'pending wallet transactions',
    (db) => listUnsettled(db, 'pending', ANY),
    { ...OF_PAGE, wallet_transactions: UNSETTLED },
  ],
  ['parked wallet transactions', (db) => listUnsettled(db, 'parked', ANY), OF_PAGE],
  ['pending ones of an operator with few', (db) => listUnsettled(db, 'pending', SMALL), OF_UNSETTLED],
  ['parked ones of an operator', (db) => listUnsettled(db, 'parked', BIG), OF_UNSETTLED],
  ['accepted ones of a day', (db) => listOfRounds(db, 'accepted', { ...BIG, from: LAST_DAY }), OF_WALK],
  ['refused ones of a day, which are none', (db) => listOfRounds(db, 'refused', { ...BIG, from: LAST_DAY }), OF_WALK],
  [
    'those of a player with many rounds',
    (db) => listOfRounds(db, undefined, { ...BIG, externalID: KNOWN.busyPlayer.playerID }),
    { ...OF_WALK, archived_rounds: SPAN.roundsOfPlayer, rounds: 4 * SPAN.roundsOfPlayer },
  ],
  ['those of a round', (db) => listOfRounds(db, undefined, { ...ANY, roundID: KNOWN.round }), OF_PAGE],
  [
    'those of an archived round',
    (db) => listOfRounds(db, undefined, { ...ANY, roundID: KNOWN.archivedRound }),
    { ...OF_PAGE, archived_rounds: PAGE },
  ],
  [
    'a selection to retry, and who was first',
    async (db) => {
      const { rows } = await db.pool.query<{ id: string }>(
        "SELECT transaction_id::text AS id FROM wallet_transactions WHERE state = 'parked' ORDER BY created_at LIMIT 50",
      );
      const transactionIDs = rows.map(({ id }) => id);
      await retryParked(db, { transactionIDs, operatorID: KNOWN.operatorIDs.big });
      await findShownTransactions(db, { transactionIDs, operatorID: KNOWN.operatorIDs.big });
      await lastChangesByPerson(db, transactionIDs);
    },
    // The index of parked ones is small: the planner may read it instead of the ids.
    { ...OF_PAGE, wallet_transactions: UNSETTLED, significant_events: PAGE },
  ],
  ['the newest events', (db) => pageOfEvents(db, { limit: LIMIT }), { significant_events: PAGE }],
  [
    'events of a rare kind',
    (db) => pageOfEvents(db, { limit: LIMIT, kind: 'node_started' }),
    { significant_events: 2 * PAGE },
  ],
  [
    'events of a time',
    (db) => pageOfEvents(db, { limit: LIMIT, from: LAST_DAY, to: new Date(LAST_DAY.getTime() + 3_600_000) }),
    // A search in the order of the chain finds the time.
    { significant_events: 3 * PAGE },
  ],
  [
    'events whose subject has a text that none has',
    (db) => pageOfEvents(db, { limit: LIMIT, subject: 'no such subject' }),
    { significant_events: 2 * SPAN.events },
  ],
  [
    'events that are about an operator',
    eventAt(40_000),
    {
      ...{
        significant_events: 2 * SPAN.events,
        rounds: SPAN.events,
        archived_rounds: SPAN.events,
        accounts: SPAN.events,
      },
      ...{ players: PAGE, sessions: PAGE },
    },
  ],
];
