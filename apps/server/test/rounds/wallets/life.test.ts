import { OPENING_BALANCE } from '@roundhouse/wallet-check/fake-wallet';
import { describe, expect, it, onTestFinished } from 'vitest';
import { BOOK } from '../../support/fixtureGame.ts';
import { HOUR_MS, idleFor } from '../../support/moveTime.ts';
import { playerOf, useSeamlessServer } from '../../support/seamlessServer.ts';
import { expectRefusal } from '../../support/snapshot.ts';
import { UNIT } from '../../support/testServer.ts';

const server = useSeamlessServer();

const balanceOf = (amount: number) => ({ balance: { amount, currency: 'USD' } });
const changeAcme = (data: object) => server.db.operator.update({ where: { code: 'acme' }, data });

describe('a round, with the money at the operator', () => {
  it.each([
    { bookID: BOOK.pays150, payout: 1.5 * UNIT },
    { bookID: BOOK.pays0, payout: 0 },
  ])(
    'that pays $payout is one debit and one credit, however often it is ended, and the balances are the operator’s',
    async ({ bookID, payout }) => {
      const sessionID = await server.seamlessSession();
      const played = await server.playBook(sessionID, bookID);
      expect(played.body).toMatchObject({ ...balanceOf(OPENING_BALANCE - UNIT), round: { active: true, payout } });
      expect((await server.endRound(sessionID)).body).toEqual(balanceOf(OPENING_BALANCE - UNIT + payout));
      server.wallet.setBalance(playerOf(sessionID), 7 * UNIT);
      expect((await server.endRound(sessionID)).body).toEqual(balanceOf(7 * UNIT));
      expect((await server.balance(sessionID)).body).toEqual(balanceOf(7 * UNIT));
      expect(await server.roundOf(sessionID)).toMatchObject({ active: false });

      const { betID } = played.body.round;
      const transactionID = expect.stringMatching(/^[0-9a-f-]{36}$/);
      const context = { roundID: String(betID), playerID: playerOf(sessionID), gameID: 'fixture', currency: 'USD' };
      const request = { transactionID, ...context };
      const [debit] = server.wallet.callsTo('/debit');
      expect(debit).toEqual({ ...request, sessionID, amount: UNIT, mode: 'BASE' });
      expect(server.wallet.callsTo('/credit')).toEqual([
        { ...request, debitTransactionID: debit?.transactionID, amount: payout, roundClosed: true },
      ]);
      const accepted = { state: 'accepted', attempts: 1, resultCode: 'accepted', httpStatus: 200 };
      expect(await server.transactionsOf(betID)).toEqual([
        { kind: 'debit', amount: UNIT, ...accepted },
        { kind: 'credit', amount: payout, ...accepted },
      ]);
    },
  );

  it('shows a balance below zero as it is, in every response, and decides nothing by it', async () => {
    const sessionID = server.freshSession();
    const owe = (amount: number) => server.wallet.setBalance(playerOf(sessionID), amount);
    owe(-50 * UNIT);
    expect((await server.authenticate(sessionID)).body).toMatchObject(balanceOf(-50 * UNIT));
    expect((await server.balance(sessionID)).body).toEqual(balanceOf(-50 * UNIT));
    expectRefusal(await server.play(sessionID), 'ERR_IPB');
    owe(5 * UNIT);
    // The debt came between the debit and its response.
    const text = JSON.stringify({ balance: -40 * UNIT });
    server.wallet.next('/debit', { kind: 'response', status: 200, text, done: true });
    const { body } = await server.playBook(sessionID, BOOK.pays150);
    expect(body).toMatchObject({ ...balanceOf(-40 * UNIT), round: { active: true } });
    owe(-40 * UNIT);
    expect((await server.endRound(sessionID)).body).toEqual(balanceOf(-38.5 * UNIT));
    const transactions = await server.transactionsOf(body.round.betID);
    expect(transactions.map(({ kind, state }) => `${kind} ${state}`)).toEqual(['debit accepted', 'credit accepted']);
    const { rounds } = (await server.history(sessionID)).body;
    expect(rounds[0]).toMatchObject({ betID: body.round.betID, balanceBefore: -39 * UNIT });
  });
});

it('the history leaves a bet out until the wallet has taken it, and marks the one that it refused', async () => {
  const sessionID = await server.seamlessSession();
  const history = async () => (await server.history(sessionID)).body.rounds;
  const whileDebiting: unknown[] = [];
  server.wallet.next('/debit', { kind: 'before', run: async () => void whileDebiting.push(await history()) });
  const { betID } = (await server.playBook(sessionID, BOOK.pays150)).body.round;
  expect(whileDebiting).toEqual([[]]);
  expect(await history()).toMatchObject([{ betID, active: true, endedAt: null }]);
  await server.endRound(sessionID);
  server.wallet.next('/debit', { kind: 'refuse', code: 'ERR_IPB' });
  expectRefusal(await server.play(sessionID), 'ERR_IPB');
  const refused = { void: true, active: false, payout: 0 };
  expect(await history()).toMatchObject([refused, { betID, active: false, payout: 1.5 * UNIT, bookID: BOOK.pays150 }]);
  // The server does not request it from the operator.
  expect(server.wallet.calls).toHaveLength(4);
});

describe('a session that the server has not seen', () => {
  it('is verified by the operator of its prefix, which names the player', async () => {
    const sessionID = server.freshSession('ann');
    const entered = { ...balanceOf(OPENING_BALANCE), config: { gameID: 'fixture' }, round: {} };
    expect((await server.authenticate(sessionID)).body).toMatchObject(entered);
    expect(server.wallet.callsTo('/authenticate')).toEqual([{ sessionID, gameID: 'fixture' }]);
    expect(await server.db.player.count({ where: { externalId: 'ann', operator: { code: 'acme' } } })).toBe(1);
  });

  it('is ERR_IS until it has authenticated, without a request to the operator', async () => {
    const sessionID = server.freshSession();
    const { balance, play, endRound, history } = server;
    for (const ask of [balance, play, endRound, history]) expectRefusal(await ask(sessionID), 'ERR_IS');
    expectRefusal(await server.record(sessionID, 'e'), 'ERR_IS');
    expect(server.wallet.calls).toEqual([]);
  });

  it('and the operator neither is ERR_IS, and leaves nothing behind', async () => {
    expectRefusal(await server.authenticate(server.freshSession('nobody')), 'ERR_IS');
    expect(await server.db.player.count({ where: { externalId: 'nobody' } })).toBe(0);
  });

  it('goes to the default operator when its prefix is no operator’s, or is ERR_IS', async () => {
    const anySession = () => `free-text:${crypto.randomUUID()}:dora`;
    expectRefusal(await server.authenticate(anySession()), 'ERR_IS');
    expect(server.wallet.calls).toEqual([]);
    await changeAcme({ isDefault: true });
    expect((await server.authenticate(anySession())).status).toBe(200);
    await changeAcme({ isDefault: false });
  });

  it('is one session when it is shown several times at once', async () => {
    const sessionID = server.freshSession();
    const responses = await Promise.all([1, 2, 3].map(() => server.authenticate(sessionID)));
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(await server.db.session.count({ where: { player: { externalId: playerOf(sessionID) } } })).toBe(1);
  });
});

describe('what the operator says at authenticate', () => {
  it('comes after maintenance, whatever it refuses with', async () => {
    const sessionID = await server.seamlessSession();
    await server.db.maintenance.create({ data: { scope: 'server', target: '', level: 'nothing_at_all' } });
    onTestFinished(async () => void (await server.db.maintenance.deleteMany()));
    for (const code of ['ERR_GLE', 'ERR_IPB', 'ERR_VAL', 'ERR_ATE'] as const) {
      server.wallet.next('/authenticate', { kind: 'refuse', code });
      expectRefusal(await server.authenticate(sessionID), 'ERR_MAINTENANCE');
    }
  });

  it('is requested every time, so that a session comes back to life or ends', async () => {
    const sessionID = await server.seamlessSession();
    server.wallet.next('/authenticate', { kind: 'refuse', code: 'ERR_ATE' });
    expectRefusal(await server.authenticate(sessionID), 'ERR_ATE');
    await idleFor(server, sessionID, HOUR_MS);
    expectRefusal(await server.balance(sessionID), 'ERR_IS');
    expect((await server.authenticate(sessionID)).status).toBe(200);
    expect((await server.balance(sessionID)).status).toBe(200);
  });

  it('holds for the player: country, jurisdiction and limits, those of the last time', async () => {
    server.wallet.say({ country: 'fi', jurisdiction: { disabledTurbo: true }, limits: { dailyWager: 2 * UNIT } });
    const sessionID = server.freshSession();
    const { body } = await server.authenticate(sessionID);
    expect(body.config.jurisdiction).toMatchObject({ disabledTurbo: true, disabledAutoplay: false });
    await server.playBook(sessionID, BOOK.pays0);
    await server.endRound(sessionID);
    server.wallet.say({ country: 'fi', limits: { dailyWager: 1.5 * UNIT } });
    await server.authenticate(sessionID);
    server.wallet.say({});
    expectRefusal(await server.play(sessionID), 'ERR_GLE');
    await changeAcme({ blockedCountries: ['FI'] });
    expectRefusal(await server.balance(sessionID), 'ERR_LOC');
    await changeAcme({ blockedCountries: [] });
  });

  it.each([{ playerID: 'somebody-else' }, { currency: 'EUR' }])(
    'is ERR_IS when it is %j for a session that it has named before, and stands in the log',
    async (said) => {
      const sessionID = await server.seamlessSession();
      server.logLines.length = 0;
      server.wallet.say(said);
      expectRefusal(await server.authenticate(sessionID), 'ERR_IS');
      server.wallet.say({});
      const warning = '"operator":"acme","msg":"the operator names another player or currency for a known session"';
      expect(server.logLines.filter((line) => line.includes(warning))).toHaveLength(1);
    },
  );
});

it('a session needs a currency that its operator offers', async () => {
  await server.db.operator.updateMany({ data: { currencies: ['CAD', 'EUR'] } });
  expectRefusal(await server.authenticate(server.freshSession()), 'ERR_GEN');
  expectRefusal(await server.post('/session/start', { currency: 'USD' }), 'ERR_VAL');
  expect((await server.post('/session/start', { currency: 'EUR' })).status).toBe(200);
  await server.db.operator.updateMany({ data: { currencies: [] } });
});

it.each([
  ['the largest bet', 'maxBetMicros'],
  ['what a player may wager in a day', 'dailyWagerLimitMicros'],
  ['what a player may lose in a day', 'dailyLossLimitMicros'],
])('an operator’s limit of %s refuses a larger bet without a debit', async (_, limit) => {
  const { id } = await server.db.operator.findUniqueOrThrow({ where: { code: 'acme' } });
  const data = { operatorId: id, currency: 'USD' };
  const sessionID = await server.seamlessSession();
  await server.db.operatorLimit.create({ data: { ...data, [limit]: 1_999_999n } });
  expectRefusal(await server.play(sessionID, { amount: 2 * UNIT }), 'ERR_GLE');
  expect(server.wallet.callsTo('/debit')).toEqual([]);
  await server.db.operatorLimit.updateMany({ data: { [limit]: 2_000_000n } });
  expect((await server.play(sessionID, { amount: 2 * UNIT })).status).toBe(200);
  await server.db.operatorLimit.deleteMany();
});
