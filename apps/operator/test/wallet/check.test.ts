import { toMicros } from '@roundhouse/contract';
import { checkWallet, requestTestSession } from '@roundhouse/wallet-check';
import { expect, it } from 'vitest';
import { SECRET, useOperator } from '../support/testOperator.ts';

const operator = useOperator();

it('the wallet gives a test session, and keeps every rule of the protocol', async () => {
  const wallet = { baseUrl: `${operator.url}/wallet`, secret: SECRET, gameID: 'a-game' };
  const { ok, ...sessions } = await requestTestSession(wallet);
  expect(ok).toBe(true);
  const extent = { bet: toMicros(1_000_000), freeRounds: true, closingDebits: true };
  const outcome = await checkWallet({ ...wallet, ...(sessions as { sessionID: string }), ...extent });
  const results = outcome.ok ? outcome.report.results : [];
  expect(results.filter((each) => each.outcome !== 'pass')).toEqual([]);
  expect(results.length).toBeGreaterThan(0);
});
