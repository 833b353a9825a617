import { AggregatorRegistry, Registry } from 'prom-client';
import { expect, it } from 'vitest';
import { type Database, openDatabase } from '../ledger/database.ts';
import { createMetrics } from './metrics.ts';

const roundStops = { reasons: new Set<string>() };
const DEBITS = 'roundhouse_wallet_request_duration_ms_count{operator="acme",route="debit"';

it('the other metrics are reported when the database cannot be reached', async () => {
  const db = openDatabase({ url: 'postgresql://nobody@127.0.0.1:1/nothing' });
  const { report, observeWalletRequest } = createMetrics({ db, roundStops });
  observeWalletRequest({ operator: 'acme', name: 'debit', result: { kind: 'not_sent' }, ms: 3 });
  const text = await report({ isOpenMetrics: false });
  await db.$disconnect();
  expect(text).toContain(`${DEBITS},result="not_sent"} 1`);
  expect(text).not.toContain('roundhouse_wallet_transactions_unsettled{');
});

const parked = {
  $queryRaw: async () => [{ operator: 'acme', kind: 'credit', state: 'parked', count: 3 }],
} as unknown as Database;

it('metrics of workers are added up, except those read from the database', async () => {
  const result = { kind: 'refused', code: 'ERR_IPB', httpStatus: 400 } as const;
  const workers = [2, 5].map((calls) => {
    let own = new Registry();
    const share = (registry: Registry) => {
      own = registry;
    };
    const { observeWalletRequest } = createMetrics({ db: parked, roundStops }, { share, report: async () => '' });
    for (let call = 0; call < calls; call += 1)
      observeWalletRequest({ operator: 'acme', name: 'debit', result, ms: 3 });
    return own.getMetricsAsJSON();
  });
  const text = await AggregatorRegistry.aggregate(await Promise.all(workers)).metrics();
  expect(text).toContain(`${DEBITS},result="refused"} 7`);
  expect(text).toContain('roundhouse_wallet_transactions_unsettled{operator="acme",kind="credit",state="parked"} 3');
});
