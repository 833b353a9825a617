import { OPENING_BALANCE } from '@roundhouse/wallet-check/fake-wallet';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { BOOK } from '../support/fixtureGame.ts';
import {
  expectBooksBalance,
  expectError,
  playerOf,
  type SeamlessServer,
  startSeamlessServer,
} from '../support/seamlessServer.ts';

const UNIT = 1_000_000;
let server: SeamlessServer;

beforeAll(async () => {
  server = await startSeamlessServer();
});
afterAll(() => server.close());
beforeEach(() => server.wallet.forget());
afterEach(async () => {
  expect(server.wallet.unmet()).toEqual([]);
  await expectBooksBalance(server.db);
});

describe('a round, with the money at the operator', () => {
  test('that pays: one debit, one credit of the same round, and the balances are the operator’s', async () => {
    const sessionID = await server.seamlessSession();
    const player = playerOf(sessionID);
    const played = await server.playBook(sessionID, BOOK.pays150);
    expect(played.body).toMatchObject({
      balance: { amount: OPENING_BALANCE - UNIT, currency: 'USD' },
      round: { active: true, payout: 1.5 * UNIT },
    });
    const ended = await server.post('/wallet/end-round', { sessionID });
    expect(ended.body).toEqual({ balance: { amount: OPENING_BALANCE + 0.5 * UNIT, currency: 'USD' } });

    const { betID } = played.body.round;
    const [debit] = server.wallet.callsTo('/debit');
    expect(debit).toEqual({
      transactionID: expect.stringMatching(/^[0-9a-f-]{36}$/),
      roundID: String(betID),
      sessionID,
      playerID: player,
      gameID: 'fixture',
      currency: 'USD',
      amount: UNIT,
      mode: 'BASE',
    });
    expect(server.wallet.callsTo('/credit')).toEqual([
      {
        transactionID: expect.stringMatching(/^[0-9a-f-]{36}$/),
        debitTransactionID: debit?.transactionID,
        roundID: String(betID),
        playerID: player,
        gameID: 'fixture',
        currency: 'USD',
        amount: 1.5 * UNIT,
        roundClosed: true,
      },
    ]);
    expect(await server.transactionsOf(betID)).toEqual([
      { kind: 'debit', state: 'accepted', amount: UNIT, attempts: 1, resultCode: 'accepted', httpStatus: 200 },
      { kind: 'credit', state: 'accepted', amount: 1.5 * UNIT, attempts: 1, resultCode: 'accepted', httpStatus: 200 },
    ]);
  });

  test('that pays nothing is closed at the operator too, with a credit of 0', async () => {
    const sessionID = await server.seamlessSession();
    await server.playBook(sessionID, BOOK.pays0);
    await server.post('/wallet/end-round', { sessionID });
    expect(server.wallet.callsTo('/credit')).toMatchObject([{ amount: 0, roundClosed: true }]);
  });

  test('that play closes itself is closed at the operator all the same', async () => {
    const sessionID = await server.seamlessSession();
    const played = await server.playBook(sessionID, BOOK.pays0, { mode: 'AUTO' });
    expect(played.body.round).toMatchObject({ active: false, payout: 0 });
    await server.settled();
    expect(server.wallet.callsTo('/credit')).toMatchObject([
      { amount: 0, roundClosed: true, roundID: String(played.body.round.betID) },
    ]);
    expect((await server.post('/wallet/authenticate', { sessionID })).body.round).toMatchObject({ active: false });
  });

  test('end-round again pays nothing, and answers the balance of now', async () => {
    const sessionID = await server.seamlessSession();
    await server.playBook(sessionID, BOOK.pays150);
    await server.post('/wallet/end-round', { sessionID });
    server.wallet.setBalance(playerOf(sessionID), 7 * UNIT);
    const again = await server.post('/wallet/end-round', { sessionID });
    expect(again.body).toEqual({ balance: { amount: 7 * UNIT, currency: 'USD' } });
    expect(server.wallet.callsTo('/credit')).toHaveLength(1);
  });

  test('the same Idempotency-Key is the same round, and debits once', async () => {
    const sessionID = await server.seamlessSession();
    const bet = { sessionID, amount: UNIT, mode: 'BASE' };
    const first = await server.post('/wallet/play', bet, { 'Idempotency-Key': 'one' });
    const second = await server.post('/wallet/play', bet, { 'Idempotency-Key': 'one' });
    expect(second.body.round.betID).toBe(first.body.round.betID);
    expect(server.wallet.callsTo('/debit')).toHaveLength(1);
  });

  test('while a round is active play is ERR_VAL, and the operator hears nothing of it', async () => {
    const sessionID = await server.seamlessSession();
    await server.playBook(sessionID, BOOK.pays150);
    expectError(await server.post('/wallet/play', { sessionID, amount: UNIT, mode: 'BASE' }), 400, 'ERR_VAL');
    expect(server.wallet.callsTo('/debit')).toHaveLength(1);
  });

  test('balance asks the operator', async () => {
    const sessionID = await server.seamlessSession();
    server.wallet.setBalance(playerOf(sessionID), 123);
    expect((await server.post('/wallet/balance', { sessionID })).body).toEqual({
      balance: { amount: 123, currency: 'USD' },
    });
  });
});

describe('a session that the server has not seen', () => {
  test('is offered to the operator of its prefix, which says who the player is', async () => {
    const sessionID = server.freshSession('ann');
    const { body } = await server.post('/wallet/authenticate', { sessionID });
    expect(body).toMatchObject({
      balance: { amount: OPENING_BALANCE, currency: 'USD' },
      config: { gameID: 'fixture' },
      round: {},
    });
    expect(server.wallet.callsTo('/authenticate')).toEqual([{ sessionID, gameID: 'fixture' }]);
    expect(
      await server.db.player.findFirst({ where: { externalId: 'ann', operator: { code: 'acme' } } }),
    ).not.toBeNull();
  });

  test('is ERR_IS until it has authenticated, and the operator is not asked', async () => {
    const sessionID = server.freshSession();
    for (const [path, body] of Object.entries({
      '/wallet/balance': {},
      '/wallet/play': { amount: UNIT, mode: 'BASE' },
      '/wallet/end-round': {},
      '/bet/event': { event: 'e' },
    })) {
      expectError(await server.post(path, { sessionID, ...body }), 400, 'ERR_IS');
    }
    expect(server.wallet.calls).toEqual([]);
  });

  test('that the operator does not know is ERR_IS, and leaves nothing behind', async () => {
    expectError(await server.post('/wallet/authenticate', { sessionID: server.freshSession('nobody') }), 400, 'ERR_IS');
    expect(await server.db.player.findFirst({ where: { externalId: 'nobody' } })).toBeNull();
  });

  test('without a prefix that anybody has goes to the default operator, or is ERR_IS', async () => {
    const anySession = () => `free-text:${crypto.randomUUID()}:dora`;
    expectError(await server.post('/wallet/authenticate', { sessionID: anySession() }), 400, 'ERR_IS');
    expect(server.wallet.calls).toEqual([]);
    await server.db.operator.update({ where: { code: 'acme' }, data: { isDefault: true } });
    expect((await server.post('/wallet/authenticate', { sessionID: anySession() })).status).toBe(200);
    await server.db.operator.update({ where: { code: 'acme' }, data: { isDefault: false } });
  });

  test('shown twice at once is one session', async () => {
    const sessionID = server.freshSession();
    const answers = await Promise.all([1, 2, 3].map(() => server.post('/wallet/authenticate', { sessionID })));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(await server.db.session.count({ where: { player: { externalId: playerOf(sessionID) } } })).toBe(1);
  });
});

describe('what the operator says at authenticate', () => {
  test('comes after maintenance, whatever it refuses with', async () => {
    const sessionID = await server.seamlessSession();
    await server.db.maintenance.create({ data: { scope: 'server', target: '', level: 'nothing_at_all' } });
    try {
      for (const code of ['ERR_GLE', 'ERR_IPB', 'ERR_VAL', 'ERR_ATE'] as const) {
        server.wallet.next('/authenticate', { kind: 'refuse', code });
        expectError(await server.post('/wallet/authenticate', { sessionID }), 500, 'ERR_MAINTENANCE');
      }
    } finally {
      await server.db.maintenance.deleteMany();
    }
  });

  test('is asked again every time, so that a session comes back to life or ends', async () => {
    const sessionID = await server.seamlessSession();
    server.wallet.next('/authenticate', { kind: 'refuse', code: 'ERR_ATE' });
    expectError(await server.post('/wallet/authenticate', { sessionID }), 400, 'ERR_ATE');
    await server.db.$executeRaw`UPDATE sessions SET last_active_at = now() - interval '1 hour'`;
    expectError(await server.post('/wallet/balance', { sessionID }), 400, 'ERR_IS');
    expect((await server.post('/wallet/authenticate', { sessionID })).status).toBe(200);
    expect((await server.post('/wallet/balance', { sessionID })).status).toBe(200);
  });

  test('country, jurisdiction and limits hold for the player', async () => {
    server.wallet.say({ country: 'fi', jurisdiction: { disabledTurbo: true }, limits: { dailyWager: 1.5 * UNIT } });
    const sessionID = server.freshSession();
    const { body } = await server.post('/wallet/authenticate', { sessionID });
    server.wallet.say({});
    expect(body.config.jurisdiction).toMatchObject({ disabledTurbo: true, disabledAutoplay: false });
    await server.playBook(sessionID, BOOK.pays0);
    await server.post('/wallet/end-round', { sessionID });
    expectError(await server.post('/wallet/play', { sessionID, amount: UNIT, mode: 'BASE' }), 400, 'ERR_GLE');
    await server.db.operator.update({ where: { code: 'acme' }, data: { blockedCountries: ['FI'] } });
    expectError(await server.post('/wallet/balance', { sessionID }), 400, 'ERR_LOC');
    await server.db.operator.update({ where: { code: 'acme' }, data: { blockedCountries: [] } });
  });

  test('another player or currency for a session that it has named before is ERR_IS', async () => {
    const sessionID = await server.seamlessSession();
    server.wallet.say({ playerID: 'somebody-else' });
    expectError(await server.post('/wallet/authenticate', { sessionID }), 400, 'ERR_IS');
    server.wallet.say({ currency: 'EUR' });
    expectError(await server.post('/wallet/authenticate', { sessionID }), 400, 'ERR_IS');
    server.wallet.say({});
  });
});

describe('limits of the operator', () => {
  test('hold for every player, the narrower one counts, and the operator is not asked', async () => {
    const { id } = await server.db.operator.findUniqueOrThrow({ where: { code: 'acme' } });
    const limit = (data: object) =>
      server.db.operatorLimit.upsert({
        where: { operatorId_currency: { operatorId: id, currency: 'USD' } },
        create: { operatorId: id, currency: 'USD', ...data },
        update: data,
      });
    const sessionID = await server.seamlessSession();
    const bet = { sessionID, amount: 2 * UNIT, mode: 'BASE' };
    await limit({ maxBetMicros: 1_999_999n });
    expectError(await server.post('/wallet/play', bet), 400, 'ERR_GLE');
    await limit({ maxBetMicros: null, dailyWagerLimitMicros: 1_999_999n });
    expectError(await server.post('/wallet/play', bet), 400, 'ERR_GLE');
    await limit({ dailyWagerLimitMicros: null, dailyLossLimitMicros: 1_999_999n });
    expectError(await server.post('/wallet/play', bet), 400, 'ERR_GLE');
    expect(server.wallet.callsTo('/debit')).toEqual([]);
    await limit({ dailyLossLimitMicros: 2_000_000n });
    expect((await server.post('/wallet/play', bet)).status).toBe(200);
    await server.db.operatorLimit.deleteMany();
  });
});
