import { afterEach, expect, it } from 'vitest';
import { setOperator } from '../../../src/store/operators/operators.ts';
import { playerOf, useSeamlessServer } from '../../support/seamlessServer.ts';
import { expectRefusal } from '../../support/snapshot.ts';
import { UNIT } from '../../support/testServer.ts';

const server = useSeamlessServer();
afterEach(async () => {
  server.wallet.say({});
  await setOperator(server.db, 'acme', { jurisdiction: {} });
});

const play = (sessionID: string, amount: number) => server.play(sessionID, { amount, mode: 'ANTE' });

it('the maximum stake that the wallet says holds for its session, and a later authenticate changes it', async () => {
  server.wallet.say({ maxStake: 2 * UNIT });
  const sessionID = server.freshSession();
  expect((await server.authenticate(sessionID)).body.config).toMatchObject({ maxStake: 2 * UNIT, maxBet: 2 * UNIT });
  expectRefusal(await play(sessionID, 1_700_000), 'ERR_VAL');
  expect(server.wallet.callsTo('/debit')).toEqual([]);
  expect((await play(sessionID, 1_600_000)).status).toBe(200);
  await server.endRound(sessionID);

  // When the wallet does not name the limit, it stays.
  server.wallet.say({});
  expect((await server.authenticate(sessionID)).body.config.maxStake).toBe(2 * UNIT);
  server.wallet.say({ maxStake: 5 * UNIT });
  expect((await server.authenticate(sessionID)).body.config.maxStake).toBe(5 * UNIT);
  expect((await play(sessionID, 4 * UNIT)).status).toBe(200);
});

it('the wallet cannot raise the maximum stake of the jurisdiction', async () => {
  await setOperator(server.db, 'acme', { jurisdiction: { maxStake: { USD: 2 * UNIT } } });
  server.wallet.say({ maxStake: 5 * UNIT });
  const sessionID = server.freshSession();
  expect((await server.authenticate(sessionID)).body.config.maxStake).toBe(2 * UNIT);
  expect((await server.authenticate(sessionID)).body.config.maxStake).toBe(2 * UNIT);
  expectRefusal(await play(sessionID, 1_700_000), 'ERR_VAL');
});

it('a game that returns less than the jurisdiction of the wallet demands is ERR_LOC, and is not stored', async () => {
  await server.db.gameVersion.updateMany({ data: { modeReturns: { BASE: { rtp: 0.9, feature: false } } } });
  server.wallet.say({ jurisdiction: { minimumRTP: 91 } });
  const sessionID = server.freshSession();
  const message = 'mode BASE returns 90 %, and the jurisdiction demands 91 %';
  expectRefusal(await server.authenticate(sessionID), 'ERR_LOC', message);
  expect(await server.db.session.count({ where: { player: { externalId: playerOf(sessionID) } } })).toBe(0);
  server.wallet.say({ jurisdiction: { minimumRTP: 90 } });
  expect((await server.authenticate(sessionID)).status).toBe(200);
});
