import { type AnyDialectKit, aggregatorOf } from '@roundhouse/aggregators';
import { expect, it } from 'vitest';
import { useDialectServer } from '../../support/dialectServer.ts';
import { expectRefusal } from '../../support/snapshot.ts';
import { UNIT } from '../../support/testServer.ts';

// Of the levels 0.2, 1 and 100, a wallet that moves tenths can pay only the last one in each mode:
// at 1, ANTE costs 1.25.
const server = useDialectServer({
  kit: aggregatorOf('softswiss') as AnyDialectKit,
  settings: { leaveOutBets: true, currencies: { EUR: { decimals: 1 } } },
});

it('with leaveOutBets, bets that the wallet cannot move are not offered and not taken', async () => {
  const { sessionID } = await server.launch();
  const { body } = await server.authenticate(sessionID);
  const largest = 100 * UNIT;
  expect(body.config).toMatchObject({ betLevels: [largest], minBet: largest, defaultBetLevel: largest });
  const refused = await server.play(sessionID, { amount: UNIT, mode: 'ANTE' });
  expectRefusal(refused, 'ERR_VAL');
  expect(refused.body.message).toContain('the wallet of the operator cannot move');
  expect((await server.play(sessionID, { amount: largest, mode: 'ANTE' })).status).toBe(200);
  expect((await server.endRound(sessionID)).status).toBe(200);
});
