import { afterEach, expect, it } from 'vitest';
import { setOperator } from '../../src/ledger/queries/operators.ts';
import { BOOK } from '../support/fixtureGame.ts';
import { expectError, useSeamlessServer } from '../support/seamlessServer.ts';

const UNIT = 1_000_000;
const server = useSeamlessServer();
afterEach(async () => {
  server.wallet.say({});
  await setOperator(server.db, 'acme', { jurisdiction: {} });
});

const authenticate = (sessionID: string) => server.post('/wallet/authenticate', { sessionID });
const play = (sessionID: string, amount: number) => server.post('/wallet/play', { sessionID, amount, mode: 'ANTE' });

it('the maximum stake that the wallet says holds for its session, and a later authenticate changes it', async () => {
  server.wallet.say({ maxStake: 2 * UNIT });
  const sessionID = server.freshSession();
  expect((await authenticate(sessionID)).body.config).toMatchObject({ maxStake: 2 * UNIT, maxBet: 2 * UNIT });
  expectError(await play(sessionID, 1_700_000), 400, 'ERR_VAL');
  expect(server.wallet.callsTo('/debit')).toEqual([]);
  expect((await play(sessionID, 1_600_000)).status).toBe(200);
  await server.post('/wallet/end-round', { sessionID });

  // Without a word of it the limit stays.
  server.wallet.say({});
  expect((await authenticate(sessionID)).body.config.maxStake).toBe(2 * UNIT);
  server.wallet.say({ maxStake: 5 * UNIT });
  expect((await authenticate(sessionID)).body.config.maxStake).toBe(5 * UNIT);
  expect((await play(sessionID, 4 * UNIT)).status).toBe(200);
});

it('the wallet cannot raise the maximum stake of the jurisdiction', async () => {
  await setOperator(server.db, 'acme', { jurisdiction: { maxStake: { USD: 2 * UNIT } } });
  server.wallet.say({ maxStake: 5 * UNIT });
  const sessionID = server.freshSession();
  expect((await authenticate(sessionID)).body.config.maxStake).toBe(2 * UNIT);
  expect((await authenticate(sessionID)).body.config.maxStake).toBe(2 * UNIT);
  expectError(await play(sessionID, 1_700_000), 400, 'ERR_VAL');
});

it('a game that returns less than the jurisdiction of the wallet demands is ERR_LOC, and is not stored', async () => {
  const row = await server.db.gameVersion.findFirstOrThrow();
  const modeReturns = { BASE: { rtp: 0.9, feature: false } };
  await server.db.gameVersion.update({ where: { id: row.id }, data: { modeReturns } });
  try {
    server.wallet.say({ jurisdiction: { minimumRTP: 91 } });
    const sessionID = server.freshSession();
    const refused = await authenticate(sessionID);
    expectError(refused, 400, 'ERR_LOC');
    expect(refused.body.message).toBe('mode BASE returns 90 %, and the jurisdiction demands 91 %');
    server.wallet.say({ jurisdiction: { minimumRTP: 90 } });
    expect((await authenticate(sessionID)).status).toBe(200);
  } finally {
    await server.db.gameVersion.update({ where: { id: row.id }, data: { modeReturns: row.modeReturns ?? {} } });
  }
});

it('a second session of a player ends the first where one game at a time is allowed; its payout stays owed', async () => {
  await setOperator(server.db, 'acme', { jurisdiction: { singleInstance: true } });
  const first = await server.seamlessSession('busy');
  const { betID } = (await server.playBook(first, BOOK.pays150)).body.round;
  const second = await server.seamlessSession('busy');
  expectError(await server.post('/wallet/end-round', { sessionID: first }), 400, 'ERR_IS');
  expect((await authenticate(second)).body.round).toMatchObject({ betID, active: true });
  expect((await server.post('/wallet/end-round', { sessionID: second })).status).toBe(200);
  expect(await server.transactionsOf(betID)).toMatchObject([
    { kind: 'debit', state: 'accepted' },
    { kind: 'credit', amount: 1.5 * UNIT, state: 'accepted' },
  ]);
});
