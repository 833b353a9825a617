import { afterEach, describe, expect, it, onTestFinished } from 'vitest';
import { setOperator } from '../../../src/store/operators/operators.ts';
import { launchBody, useOperators } from '../../operators/api/operatorClient.ts';
import { BOOK } from '../../support/fixtureGame.ts';
import { idleFor, MINUTE_MS } from '../../support/moveTime.ts';
import { expectAllRefused, expectNothingChanged, expectPlayRefused, expectRefusal } from '../../support/snapshot.ts';
import { OPERATOR, serveGames, UNIT, useTestServer } from '../../support/testServer.ts';
import { gameFileOf, writeStudioFolder } from '../../support/writeStudioFolder.ts';

const server = useTestServer();
const { house, seamless } = useOperators(server);
afterEach(async () => {
  await setOperator(server.db, OPERATOR, { jurisdiction: {}, sessionTimeoutMs: 30 * MINUTE_MS });
  await server.db.operatorLimit.deleteMany();
});

describe('the maximum stake', () => {
  const expectTooDear = (sessionID: string, amount: number, mode = 'BASE') =>
    expectPlayRefused(server, sessionID, { amount, mode }, 'ERR_VAL', 'maximum stake');
  const liveWith = (maxStake: number, more: object = {}) =>
    server.liveSession({ jurisdiction: { maxStake: { USD: maxStake } }, ...more });

  it.each([
    ['BASE', 2 * UNIT, 2 * UNIT],
    // The mode costs 1.25: 1.6 units cost 2.
    ['ANTE', 1_600_000, 2 * UNIT],
    ['BONUS', 200_000, 20 * UNIT],
  ])('lets a play of %s with %d cost %d, and not when it is a micro less', async (mode, amount, cost) => {
    const sessionID = await liveWith(cost, { setBalance: 100 * UNIT });
    const { status, body } = await server.play(sessionID, { amount, mode });
    expect([status, body.balance?.amount]).toEqual([200, 100 * UNIT - cost]);
    await expectTooDear(await liveWith(cost - 1), amount, mode);
  });

  it('is per currency', async () => {
    const jurisdiction = { maxStake: { EUR: UNIT, USD: 3 * UNIT } };
    await expectTooDear(await server.liveSession({ currency: 'EUR', jurisdiction }), 1_100_000);
    const free = await server.liveSession({ currency: 'DKK', jurisdiction });
    expect((await server.play(free, { amount: 50 * UNIT })).status).toBe(200);
  });

  it.each([
    [5 * UNIT, 2 * UNIT],
    [2 * UNIT, 5 * UNIT],
  ])('is the lowest of the operator (%d) and the session (%d)', async (ofOperator, ofSession) => {
    await setOperator(server.db, OPERATOR, { jurisdiction: { maxStake: { USD: ofOperator } } });
    const sessionID = await liveWith(ofSession);
    await expectTooDear(sessionID, 2_100_000);
    expect((await server.play(sessionID, { amount: 2 * UNIT })).status).toBe(200);
  });

  it('of a launch is in the currency of the launch, and below that of its jurisdiction', async () => {
    const client = await house();
    const launchWith = async (more: object) => {
      const { sessionID } = (await client.launch(launchBody({ playerID: 'young', ...more }))).body;
      return (await server.configOf(sessionID)).maxStake;
    };
    const jurisdiction = { maxStake: { USD: 5 * UNIT } };
    expect(await launchWith({ maxStake: 2 * UNIT, jurisdiction })).toBe(2 * UNIT);
    expect(await launchWith({ maxStake: 9 * UNIT, jurisdiction })).toBe(5 * UNIT);
    expect(await launchWith({})).toBeUndefined();
  });

  it('is shown, and only bets that some mode may take are offered', async () => {
    const bets = { minBet: 200_000, maxBet: 2 * UNIT, defaultBetLevel: UNIT, betLevels: [200_000, UNIT] };
    expect(await server.configOf(await liveWith(2_050_000))).toMatchObject({ maxStake: 2_050_000, ...bets });
    expect(await server.configOf(await server.liveSession())).not.toHaveProperty('maxStake');
  });

  it("is not above the operator's limit of a bet, which stays ERR_GLE and may change at any time", async () => {
    const sessionID = await liveWith(5 * UNIT);
    await server.db.operatorLimit.create({ data: { operatorId: 1, currency: 'USD', maxBetMicros: 3 * UNIT } });
    expect(await server.configOf(sessionID)).toMatchObject({ maxStake: 3 * UNIT, maxBet: 3 * UNIT });
    await expectPlayRefused(server, sessionID, { amount: 4 * UNIT }, 'ERR_GLE');
    await expectTooDear(sessionID, 6 * UNIT);
    await server.db.operatorLimit.deleteMany();
    expect((await server.play(sessionID, { amount: 5 * UNIT })).status).toBe(200);
  });

  it('does not refuse a repeated play that was good before it', async () => {
    const sessionID = await server.liveSession();
    const first = await server.play(sessionID, { amount: 5 * UNIT }, 'dear');
    await server.db.session.updateMany({ data: { maxStakeMicros: 1 } });
    const again = await server.play(sessionID, { amount: 5 * UNIT }, 'dear');
    expect([again.status, again.body.round.betID]).toEqual([200, first.body.round.betID]);
  });
});

describe('the idle time-out of the jurisdiction', () => {
  it.each([
    [10, 30, 10],
    [60, 30, 30],
    [0, 30, 30],
  ])('of %d min with a session time-out of %d min is %d min', async (idle, timeout, effective) => {
    await setOperator(server.db, OPERATOR, {
      jurisdiction: { idleTimeout: idle * MINUTE_MS },
      sessionTimeoutMs: timeout * MINUTE_MS,
    });
    const sessionID = await server.liveSession();
    expect((await server.configOf(sessionID)).jurisdiction.idleTimeout).toBe(idle * MINUTE_MS);
    await idleFor(server, sessionID, (effective - 1) * MINUTE_MS);
    expect(await server.isAlive(sessionID)).toBe(true);
    await idleFor(server, sessionID, MINUTE_MS);
    expect(await server.isAlive(sessionID)).toBe(false);
    // authenticate wakes it, as after the session time-out.
    await server.authenticate(sessionID);
    expect(await server.isAlive(sessionID)).toBe(true);
  });

  it('of a session holds also when that of the operator changes', async () => {
    const sessionID = await server.liveSession({ jurisdiction: { idleTimeout: MINUTE_MS } });
    await setOperator(server.db, OPERATOR, { sessionTimeoutMs: 60 * MINUTE_MS });
    await idleFor(server, sessionID, MINUTE_MS);
    expect(await server.isAlive(sessionID)).toBe(false);
  });
});

describe('the minimum RTP of a jurisdiction', () => {
  /** Describes a game of one mode that returns 95 %. */
  const books = [0, 0, 0, 380].map((payoutMultiplier, index) => ({
    ...{ id: index + 1, payoutMultiplier },
    events: '[{"index":0,"type":"reveal"}]',
  }));
  /** Sets what the modes of the fixture return, until the end of the test. */
  async function setReturns(modeReturns: object) {
    const row = await server.db.gameVersion.findFirstOrThrow({ where: { game: { code: 'fixture' } } });
    const set = (data: object) => server.db.gameVersion.update({ where: { id: row.id }, data });
    onTestFinished(async () => void (await set({ modeReturns: row.modeReturns ?? {} })));
    await set({ modeReturns });
  }

  it('refuses to start a session of a game that returns less, and says which mode', async () => {
    const node = await serveGames(server, [
      await writeStudioFolder({ name: 'low', books, gameFile: gameFileOf({ id: 'low' }) }),
    ]);
    const start = (minimumRTP: number) => node.post('/session/start', { gameID: 'low', jurisdiction: { minimumRTP } });
    expect((await start(95)).status).toBe(200);
    const refused = await expectNothingChanged(server, () => start(95.01));
    expectRefusal(refused, 'ERR_VAL', 'mode BASE returns 95 %, and the jurisdiction demands 95.01 %');
  });

  it('leaves features out where they cannot be bought', async () => {
    await setReturns({ BASE: { rtp: 0.96, feature: false }, BONUS: { rtp: 0.5, feature: true } });
    const start = (jurisdiction: object) => server.post('/session/start', { jurisdiction });
    expect((await start({ minimumRTP: 90 })).body.message).toContain('mode BONUS returns 50 %');
    expect((await start({ minimumRTP: 90, disabledBuyFeature: true })).status).toBe(200);
  });

  it.each([
    ['of the house wallet', house],
    ['with a seamless wallet', seamless],
  ])('refuses the launch of an operator %s', async (_, operator) => {
    const client = await operator();
    await setReturns({ BASE: { rtp: 0.849_999_9, feature: false } });
    const launch = (minimumRTP: number) => client.launch(launchBody({ jurisdiction: { minimumRTP } }));
    expectRefusal(await expectNothingChanged(server, () => launch(85)), 'ERR_VAL', 'mode BASE');
    expect((await launch(84.99)).status).toBe(200);
    await setOperator(server.db, client.code, { jurisdiction: { minimumRTP: 90 } });
    expect((await client.launch(launchBody())).status).toBe(400);
  });
});

describe('one game at a time', () => {
  const jurisdiction = { singleInstance: true };
  const newSession = (token: string, more: object = {}) => server.newSession({ token, jurisdiction, ...more });

  it('a session that authenticates ends the other sessions of its player, in any currency', async () => {
    const other = await server.liveSession({ token: 'not-single' });
    const [first, second] = [await newSession('single'), await newSession('single', { currency: 'EUR' })];
    await server.authenticate(first);
    const { betID } = (await server.playBook(first, BOOK.pays150)).body.round;
    expect(await server.isAlive(first)).toBe(true);
    await server.authenticate(second);
    await expectAllRefused(server, first, 'ERR_IS');
    expect([await server.isAlive(second), await server.isAlive(other)]).toEqual([true, true]);
    // The open round is kept for the next session.
    const third = await newSession('single');
    expect((await server.authenticate(third)).body.round).toMatchObject({ betID, active: true });
    expect(await server.isAlive(second)).toBe(false);
    expect((await server.authenticate(third)).status).toBe(200);
  });

  it('of two that authenticate at once one goes on', async () => {
    for (let time = 0; time < 10; time += 1) {
      const sessions = [await newSession(`race-${time}`), await newSession(`race-${time}`)];
      await Promise.all(sessions.map((each) => server.authenticate(each)));
      const alive = await Promise.all(sessions.map(server.isAlive));
      expect(alive.filter(Boolean)).toHaveLength(1);
    }
  });
});
