import { expect, test } from 'vitest';
import { openDatabase } from '../ledger/database.ts';
import { createMetrics } from './metrics.ts';

test('a database that cannot be reached takes no other figure with it', async () => {
  const db = openDatabase({ url: 'postgresql://nobody@127.0.0.1:1/nothing' });
  const { report, observeWalletRequest } = createMetrics(db);
  observeWalletRequest({ operator: 'acme', name: 'debit', result: { kind: 'not_sent', detail: 'rests' }, ms: 3 });
  const text = await report();
  await db.$disconnect();
  expect(text).toContain('roundhouse_wallet_call_duration_ms_count{operator="acme",call="debit",result="not_sent"} 1');
  expect(text).not.toContain('roundhouse_wallet_calls_open{');
});
