import { expect, test } from 'vitest';
import { startOperator } from '../src/operator.ts';
import { createTestDatabase } from './support/database.ts';
import { startFakeRgs } from './support/fakeRgs.ts';
import { callsOf, expectRefused, optionsFor, SECRET } from './support/testOperator.ts';

test('without its database the wallet says that nothing is certain, and the process goes on', async () => {
  const [database, rgs] = [await createTestDatabase(), await startFakeRgs(SECRET)];
  const operator = await startOperator(optionsFor(database, rgs));
  const { newPlayer, api } = callsOf(operator.url);
  const player = await newPlayer();
  await database.drop();

  const bet = player.newBet();
  for (const answer of [await player.debit(bet), await player.credit(bet), await player.rollback(bet)]) {
    expectRefused(answer, 'ERR_UE', 500);
  }
  expect(await api('GET', `/players/${player.playerID}/statement`)).toMatchObject({
    status: 500,
    body: { error: 'ERR_GEN' },
  });
  expect((await fetch(`${operator.url}/readyz`)).status).toBe(503);
  expect((await fetch(`${operator.url}/healthz`)).status).toBe(200);
  await operator.close();
  await rgs.close();
});
