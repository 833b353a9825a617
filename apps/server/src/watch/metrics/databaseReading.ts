import type { Database } from '../../store/database/database.ts';
import { findDatabaseBytes, findReplication } from '../../store/database/databaseHome.ts';
import { whyNotSynchronous } from '../../store/database/startChecks.ts';
import { countUnsettled } from '../../store/rounds/walletTransactions.ts';
import { countOpenRoundsByAge } from '../../store/staff/overview.ts';
import { countRtpAlarms } from '../../store/watch/gameTotals.ts';
import { findDays, sumDays } from '../../store/watch/moneyTotals.ts';
import { periodsAt } from '../rtp/rtpCheck.ts';
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
  return shareReading(
    () => readAll(reads, totals),
    () => db.writer.known,
  );
}

/** One query follows the other: all together hold one connection of the players' pool. */
async function readAll({ db, requireSync = false }: DatabaseReads, totals: ReturnType<typeof createMoneyTotals>) {
  return {
    unsettled: await countUnsettled(db),
    openRounds: await countOpenRoundsByAge(db),
    alarms: await countRtpAlarms(
      db,
      periodsAt(new Date()).map(({ name }) => name),
    ),
    isSynchronous: requireSync ? whyNotSynchronous(await findReplication(db)) === undefined : undefined,
    bytes: await findDatabaseBytes(db),
    money: await totals.read(),
  };
}
