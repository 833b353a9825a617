import { describe, expect, test } from 'vitest';
import { UNIT, useCheckedServer } from '../support/checkedServer.ts';
import { expectRefused } from '../support/snapshot.ts';

const server = useCheckedServer();

type Edge = { row: string; currency: string; amount: number; valid: boolean };

/** The edges of the fixture's limits: 0.2 to 100 by 0.1, and in JPY 10 to 1000 by 10. */
const EDGES: Edge[] = [
  { row: 'minBet', currency: 'USD', amount: 200_000, valid: true },
  { row: 'minBet', currency: 'USD', amount: 199_999, valid: false },
  { row: 'minBet', currency: 'USD', amount: 100_000, valid: false },
  { row: 'minBet', currency: 'JPY', amount: 10 * UNIT, valid: true },
  { row: 'minBet', currency: 'JPY', amount: 9_999_999, valid: false },
  { row: 'maxBet', currency: 'USD', amount: 100 * UNIT, valid: true },
  { row: 'maxBet', currency: 'USD', amount: 100_000_001, valid: false },
  { row: 'maxBet', currency: 'USD', amount: 100_100_000, valid: false },
  { row: 'maxBet', currency: 'JPY', amount: 1000 * UNIT, valid: true },
  { row: 'maxBet', currency: 'JPY', amount: 1010 * UNIT, valid: false },
  { row: 'stepBet', currency: 'USD', amount: 300_000, valid: true },
  { row: 'stepBet', currency: 'USD', amount: 250_000, valid: false },
  { row: 'stepBet', currency: 'USD', amount: 300_001, valid: false },
  { row: 'stepBet', currency: 'JPY', amount: 20 * UNIT, valid: true },
  { row: 'stepBet', currency: 'JPY', amount: 15 * UNIT, valid: false },
];
const labelled = (valid: boolean) => EDGES.filter((edge) => edge.valid === valid);

describe('8. Limits', () => {
  test.each(labelled(true))('row $row: a bet of $amount in $currency is taken', async ({ currency, amount }) => {
    const sessionID = await server.liveSession({ currency });
    const { status, body } = await server.post('/wallet/play', { sessionID, amount, mode: 'BASE' });
    expect(status).toBe(200);
    expect(body.balance.amount).toBe(1000 * UNIT - amount);
  });

  test.each(labelled(false))('row $row: a bet of $amount in $currency is ERR_VAL', async ({ currency, amount }) => {
    const sessionID = await server.liveSession({ currency });
    await expectRefused(server, { path: '/wallet/play', body: { sessionID, amount, mode: 'BASE' } }, 'ERR_VAL');
  });

  test('rows minBet, maxBet, stepBet: the rule is about the base bet, not about the debit of the mode', async () => {
    const sessionID = await server.liveSession({ balance: 10_000 * UNIT });
    const { status, body } = await server.post('/wallet/play', { sessionID, amount: 100 * UNIT, mode: 'BONUS' });
    expect(status).toBe(200);
    expect(body.balance.amount).toBe(0);
  });

  test('minBet, maxBet, stepBet, defaultBetLevel and betLevels come from authenticate, per currency', async () => {
    const config = async (currency: string) => {
      const sessionID = await server.newSession({ currency });
      const { minBet, maxBet, stepBet, defaultBetLevel, betLevels } = (
        await server.post('/wallet/authenticate', { sessionID })
      ).body.config;
      return [minBet, maxBet, stepBet, defaultBetLevel, betLevels];
    };
    expect(await config('EUR')).toEqual([200_000, 100 * UNIT, 100_000, UNIT, [200_000, UNIT, 100 * UNIT]]);
    expect(await config('JPY')).toEqual([10 * UNIT, 1000 * UNIT, 10 * UNIT, 100 * UNIT, []]);
  });
});
