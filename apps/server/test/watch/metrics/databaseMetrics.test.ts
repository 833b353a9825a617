import { NO_LIMITS } from '@roundhouse/service';
import { Registry } from 'prom-client';
import { expect, it } from 'vitest';
import { openDatabase } from '../../../src/store/database/database.ts';
import { findReplication } from '../../../src/store/database/databaseHome.ts';
import { whyNotSynchronous } from '../../../src/store/database/startChecks.ts';
import { registerNodeReads } from '../../../src/watch/metrics/nodeReads.ts';
import { type LedgerPlayer, useLedger } from '../../support/ledgerPlay.ts';
import { startSilentProxy } from '../../support/silentProxy.ts';

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const database = useLedger({ house: 5, seamless: 6 });

/** Returns the samples of a new reading of the database. */
async function samples(reads: Partial<Parameters<typeof registerNodeReads>[1]> = {}): Promise<string[]> {
  const registry = new Registry();
  registerNodeReads(registry, { db: database.db, ...reads });
  return (await registry.metrics()).match(/^roundhouse.*$/gm) ?? [];
}

const named = (all: readonly string[], name: string) => all.filter((sample) => sample.startsWith(name)).sort();

it('open rounds are counted by operator and age', async () => {
  const { db, play, players } = database;
  const ages = [1, 9 * MINUTE, 11 * MINUTE, 2 * HOUR, 25 * HOUR];
  for (const [index, seconds] of ages.entries()) {
    const roundID = await play(players[index] as LedgerPlayer, { pays: true });
    await db.$executeRaw`UPDATE rounds SET opened_at = now() - ${seconds} * interval '1 second' WHERE id = ${roundID}`;
  }
  expect(named(await samples(), 'roundhouse_open_rounds')).toEqual([
    'roundhouse_open_rounds{operator="house",age="10m"} 2',
    'roundhouse_open_rounds{operator="house",age="1d"} 1',
    'roundhouse_open_rounds{operator="house",age="1h"} 1',
    'roundhouse_open_rounds{operator="house",age="older"} 1',
  ]);
});

it('wallet transactions without a result are counted by state and age, with the age of the oldest', async () => {
  const { db, play, players } = database;
  const ages = [5, 5 * MINUTE, 30 * MINUTE, 5 * HOUR, 2 * DAY, 3 * DAY];
  for (const [index, seconds] of ages.entries()) {
    const roundID = await play(players[5 + index] as LedgerPlayer, { debit: 'none' });
    await db.$executeRaw`
      UPDATE wallet_transactions SET created_at = now() - ${seconds} * interval '1 second',
        state = ${index === 5 ? 'parked' : 'pending'}::wallet_transaction_state
      WHERE round_id = ${roundID}`;
  }
  const all = await samples();
  const pending = 'operator="acme",kind="debit",state="pending"';
  expect(named(all, 'roundhouse_wallet_transactions_unsettled')).toEqual([
    'roundhouse_wallet_transactions_unsettled{operator="acme",kind="debit",state="parked",age="older"} 1',
    ...['10m', '1d', '1h', '1m', 'older'].map(
      (age) => `roundhouse_wallet_transactions_unsettled{${pending},age="${age}"} 1`,
    ),
  ]);
  const oldest = named(all, 'roundhouse_wallet_transactions_oldest_seconds').map((sample) => sample.split(' '));
  expect(oldest.map(([sample]) => sample)).toEqual([
    'roundhouse_wallet_transactions_oldest_seconds{operator="acme",state="parked"}',
    'roundhouse_wallet_transactions_oldest_seconds{operator="acme",state="pending"}',
  ]);
  const [parked, waiting] = oldest.map(([, seconds]) => Number(seconds));
  expect(parked).toBeGreaterThanOrEqual(3 * DAY);
  expect(parked).toBeLessThan(3 * DAY + HOUR);
  expect(waiting).toBeGreaterThanOrEqual(2 * DAY);
  expect(waiting).toBeLessThan(2 * DAY + HOUR);
});

it('the size of the database and the space of the data folder are in bytes', async () => {
  const all = await samples({ dataFolder: '/' });
  const value = (name: string) => Number(named(all, `${name} `)[0]?.split(' ')[1]);
  expect(value('roundhouse_database_size_bytes')).toBeGreaterThan(5_000_000);
  expect(value('roundhouse_data_folder_size_bytes')).toBeGreaterThan(100_000_000);
  expect(value('roundhouse_data_folder_available_bytes')).toBeLessThan(value('roundhouse_data_folder_size_bytes'));
  expect(named(await samples({ dataFolder: '/nothing/here' }), 'roundhouse_data_folder')).toEqual([]);
});

it('whether a standby confirms commits is reported by a node that needs one', async () => {
  expect(named(await samples(), 'roundhouse_database_synchronous')).toEqual([]);
  // The database of the tests has no standby.
  expect(named(await samples({ requireSync: true }), 'roundhouse_database_synchronous')).toEqual([
    'roundhouse_database_synchronous 0',
  ]);
  const replication = { ...(await findReplication(database.db)), names: 'standby', commit: 'on', maySee: true };
  expect(whyNotSynchronous({ ...replication, standbys: 1 })).toBeUndefined();
  expect(whyNotSynchronous({ ...replication, standbys: 0 })).toContain('is connected');
});

it('the results of the verification of the log are reported when there are any', async () => {
  const of = async (state: { isVerified: boolean | undefined; checkedAt: Date | undefined }) =>
    named(await samples({ eventChain: () => state }), 'roundhouse_event_chain');
  expect(await of({ isVerified: undefined, checkedAt: undefined })).toEqual([]);
  expect(await of({ isVerified: false, checkedAt: new Date(1_800_000_000_500) })).toEqual([
    'roundhouse_event_chain_checked_timestamp_seconds 1800000000.5',
    'roundhouse_event_chain_verified 0',
  ]);
});

it('a report does not wait for a silent database, and its metrics are then missing', async () => {
  const proxy = await startSilentProxy(database.url);
  // Nothing else ends the reading.
  const db = openDatabase({ url: proxy.url, limits: NO_LIMITS });
  expect(named(await samples({ db }), 'roundhouse_database_size_bytes')).toHaveLength(1);
  proxy.silence();
  expect(named(await samples({ db, dataFolder: '/' }), 'roundhouse_').map((sample) => sample.split(' ')[0])).toEqual([
    'roundhouse_data_folder_available_bytes',
    'roundhouse_data_folder_size_bytes',
  ]);
  await proxy.close();
  await db.$disconnect();
});
