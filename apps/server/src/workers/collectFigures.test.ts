import type { Registry } from 'prom-client';
import { expect, test } from 'vitest';
import { createMetrics } from '../http/metrics.ts';
import type { Database } from '../ledger/database.ts';
import { collectFigures } from './collectFigures.ts';

/** Three credits of one operator are parked, whoever asks. */
const db = {
  $queryRaw: async () => [{ operator: 'acme', kind: 'credit', state: 'parked', count: 3 }],
} as unknown as Database;

/** The figures of a worker that has made so many calls. */
function workerWith(calls: number) {
  const registries: Registry[] = [];
  const { observeWalletRequest } = createMetrics(db, {
    share: (registry) => registries.push(registry),
    collect: async () => '',
  });
  for (let call = 0; call < calls; call += 1)
    observeWalletRequest({
      operator: 'acme',
      name: 'debit',
      result: { kind: 'refused', code: 'ERR_IPB', httpStatus: 400 },
      ms: 3,
    });
  return async () => registries[0]?.getMetricsAsJSON();
}

test('what workers have counted is added up, what all of them read from the database is not', async () => {
  const notServingYet = async () => undefined;
  const all = await collectFigures([workerWith(2), notServingYet, workerWith(5)]);
  const { text } = all as { text: string };
  expect(text).toContain('roundhouse_wallet_call_duration_ms_count{operator="acme",call="debit",result="refused"} 7');
  expect(text).toContain('roundhouse_wallet_calls_open{operator="acme",kind="credit",state="parked"} 3');
});

test('without a worker that hangs there are no sums', async () => {
  const hangs = () => new Promise<undefined>(() => {});
  expect(await collectFigures([workerWith(1), hangs], { answerTimeoutMs: 1 })).toEqual({
    fault: 'a worker has not told its figures within 1 ms',
  });
});
