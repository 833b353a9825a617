import { NoWriter } from '@roundhouse/service';
import { DatabaseError } from 'pg';
import { AggregatorRegistry, Registry } from 'prom-client';
import { expect, it } from 'vitest';
import { type Database, openDatabase } from '../../store/database/database.ts';
import { createMetrics } from './metrics.ts';

const AWAY = 'postgresql://nobody@127.0.0.1:1/nothing';
const roundStops = { reasons: new Set<string>() };
const DEBITS = 'roundhouse_wallet_request_duration_seconds_count{operator="acme",route="debit"';

it('the other metrics are reported when the database cannot be reached', async () => {
  const db = openDatabase({ url: AWAY });
  const { report, observeWalletRequest } = createMetrics({ db, roundStops, nodeReads: {} });
  observeWalletRequest({ operator: 'acme', name: 'debit', result: { kind: 'not_sent' }, ms: 3 });
  const text = await report({ isOpenMetrics: false });
  await db.$disconnect();
  expect(text).toContain(`${DEBITS},result="not_sent"} 1`);
  expect(text).not.toContain('roundhouse_wallet_transactions_unsettled{');
});

const { pool, anonymous, leases, writer } = openDatabase({ url: AWAY });
const unsettled = { operator: 'acme', kind: 'credit', state: 'parked', age: '1h', count: 3, oldestSeconds: 1_800 };
const parked = {
  ...{ pool, anonymous, leases, writer },
  $queryRaw: async ([sql = '']: string[]) => {
    if (sql.includes('w.state')) return [unsettled];
    return sql.includes('SELECT pg_database_size') || sql.includes('AS yesterday')
      ? [{ bytes: 3, first: null, yesterday: '2030-01-01' }]
      : [];
  },
} as unknown as Database;

it('metrics of workers are added up, except those read from the database', async () => {
  const result = { kind: 'refused', code: 'ERR_IPB', httpStatus: 400 } as const;
  const workers = [2, 5].map((calls) => {
    let own = new Registry();
    const share = (registry: Registry) => {
      own = registry;
    };
    const { observeWalletRequest } = createMetrics(
      { db: parked, roundStops, nodeReads: {} },
      { share, report: async () => '' },
    );
    for (let call = 0; call < calls; call += 1)
      observeWalletRequest({ operator: 'acme', name: 'debit', result, ms: 3 });
    return own.getMetricsAsJSON();
  });
  const text = await AggregatorRegistry.aggregate(await Promise.all(workers)).metrics();
  expect(text).toContain(`${DEBITS},result="refused"} 7`);
  expect(text).toContain(
    'roundhouse_wallet_transactions_unsettled{operator="acme",kind="credit",state="parked",age="1h"} 3',
  );
});

it.each([
  ['25006', '25006'],
  ['57P01', '57P01'],
  ['08006', '08'],
  ['22012', 'other'],
  [undefined, 'other'],
])('the SQLSTATE %s counts as %s', async (state, code) => {
  const error = Object.assign(new DatabaseError('an error', 0, 'error'), { code: state });
  const { report, observeDatabaseError } = createMetrics({ db: parked, roundStops });
  observeDatabaseError(error);
  expect(await report({ isOpenMetrics: false })).toContain(`roundhouse_database_errors_total{code="${code}"} 1`);
});

it('a lost connection has no SQLSTATE and counts as 08', async () => {
  const { report, observeDatabaseError } = createMetrics({ db: parked, roundStops });
  observeDatabaseError(new NoWriter('no database takes writes'));
  expect(await report({ isOpenMetrics: false })).toContain('roundhouse_database_errors_total{code="08"} 1');
});

it('the time of a traced request has its trace as exemplar, and no other request has one', async () => {
  const traceID = '0af7651916cd43dd8448eb211c80319c';
  const request = { route: '/wallet/play', status: 200, error: undefined, durationMs: 3 };
  const traced = createMetrics({ db: parked, roundStops });
  traced.observeRequest({ ...request, traceID });
  traced.observeRequest({ ...request, traceID: undefined });
  const text = await traced.report({ isOpenMetrics: true });
  const bucket =
    'roundhouse_request_duration_seconds_bucket{le="0.005",route="/wallet/play",status="200",result="ok"} 2';
  expect(text).toContain(`${bucket} # {trace_id="${traceID}"} 0.003 `);
  expect(text.split('trace_id=')).toHaveLength(2);
});
