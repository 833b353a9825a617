import type { Database } from '../ledger/database.ts';
import { findDatabaseBytes, findReplication } from '../ledger/queries/databaseHome.ts';
import { countRtpAlarms } from '../ledger/queries/gameTotals.ts';
import { findDays, sumDays } from '../ledger/queries/moneyTotals.ts';
import { countOpenRoundsByAge } from '../ledger/queries/overview.ts';
import { countUnsettled } from '../ledger/queries/walletTransactions.ts';
import { whyNotSynchronous } from '../ledger/startChecks.ts';
import { createMoneyTotals } from './moneyTotals.ts';
import { shareReading } from './sharedReading.ts';

export type DatabaseReads = {
  db: Database;
  /** Whether the node needs a synchronous standby. */
  requireSync?: boolean;
};

export type DatabaseValues = Awaited<ReturnType<typeof readAll>>;

/** Returns a function that all metrics share. It returns undefined while the database is away. */
export function createDatabaseReading(reads: DatabaseReads): () => Promise<DatabaseValues | undefined> {
  const { db } = reads;
  const totals = createMoneyTotals({ findDays: () => findDays(db), sumDays: (days) => sumDays(db, days) });
  return shareReading(() => readAll(reads, totals));
}

/** One part follows the other: all together hold one connection of the players' pool. */
async function readAll({ db, requireSync = false }: DatabaseReads, totals: ReturnType<typeof createMoneyTotals>) {
  const unsettled = await part(() => countUnsettled(db));
  const openRounds = await part(() => countOpenRoundsByAge(db));
  const alarms = await part(() => countRtpAlarms(db));
  const isSynchronous = requireSync
    ? await part(async () => whyNotSynchronous(await findReplication(db)) === undefined)
    : undefined;
  const bytes = await part(() => findDatabaseBytes(db));
  return { unsettled, openRounds, alarms, isSynchronous, bytes, money: await part(() => totals.read()) };
}

/** A part that cannot be read, for lack of a right, leaves the others. */
async function part<Value>(read: () => Promise<Value>): Promise<Value | undefined> {
  return read().catch(() => undefined);
}
