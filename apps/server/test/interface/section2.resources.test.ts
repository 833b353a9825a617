import { afterEach, describe, expect, test } from 'vitest';
import { setOperator } from '../../src/ledger/queries/operators.ts';
import { OPENING, UNIT, useCheckedServer } from '../support/checkedServer.ts';
import { OPERATOR } from '../support/testServer.ts';

const server = useCheckedServer();
afterEach(() => setOperator(server.db, OPERATOR, { jurisdiction: {} }));

async function authenticated(options: Record<string, unknown> = {}) {
  const sessionID = await server.newSession(options);
  return (await server.post('/wallet/authenticate', { sessionID })).body;
}

describe('2. Balance', () => {
  test('row amount: an integer with six decimals', async () => {
    const { balance } = await authenticated({ balance: 1_234_567 });
    expect(balance.amount).toBe(1_234_567);
  });

  test('row currency: a code of the supported list', async () => {
    expect((await authenticated({ currency: 'XSC' })).balance).toEqual({ amount: OPENING, currency: 'XSC' });
  });
});

describe('2. Config', () => {
  test.each([
    { row: 'minBet', usd: 200_000, jpy: 10 * UNIT },
    { row: 'maxBet', usd: 100 * UNIT, jpy: 1000 * UNIT },
    { row: 'stepBet', usd: 100_000, jpy: 10 * UNIT },
    { row: 'defaultBetLevel', usd: UNIT, jpy: 100 * UNIT },
  ])('row $row: an integer, the one that the game sets for the currency', async ({ row, usd, jpy }) => {
    expect((await authenticated()).config[row]).toBe(usd);
    expect((await authenticated({ currency: 'JPY' })).config[row]).toBe(jpy);
  });

  test('row defaultBetLevel: a valid bet', async () => {
    const { config } = await authenticated();
    expect(config.defaultBetLevel % config.stepBet).toBe(0);
    expect(config.defaultBetLevel).toBeGreaterThanOrEqual(config.minBet);
    expect(config.defaultBetLevel).toBeLessThanOrEqual(config.maxBet);
  });

  test('row betLevels: ascending, the last at most maxBet; may be empty', async () => {
    const { config } = await authenticated();
    expect(config.betLevels).toEqual([200_000, UNIT, 100 * UNIT]);
    expect(config.betLevels.at(-1)).toBeLessThanOrEqual(config.maxBet);
    expect((await authenticated({ currency: 'JPY' })).config.betLevels).toEqual([]);
  });

  test('row jurisdiction: an object', async () => {
    const { jurisdiction } = (await authenticated()).config;
    expect(jurisdiction).toMatchObject({ socialCasino: false, disabledFullscreen: false, disabledTurbo: false });
  });
});

describe('2. Jurisdiction object', () => {
  test('row socialCasino: on for a session in social casino mode', async () => {
    expect((await authenticated({ social: true, currency: 'XGC' })).config.jurisdiction.socialCasino).toBe(true);
    expect((await authenticated({ social: false, currency: 'XGC' })).config.jurisdiction.socialCasino).toBe(false);
  });

  test.each(['socialCasino', 'disabledFullscreen', 'disabledTurbo'])('row %s: the operator sets it', async (flag) => {
    const earlier = await server.newSession();
    await setOperator(server.db, OPERATOR, { jurisdiction: { [flag]: true } });
    const flags = (await authenticated()).config.jurisdiction;
    const three = { socialCasino: false, disabledFullscreen: false, disabledTurbo: false };
    expect(flags).toMatchObject({ ...three, [flag]: true });
    // Settled when the session is issued: it does not change in the middle of a game.
    const { config } = (await server.post('/wallet/authenticate', { sessionID: earlier })).body;
    expect(config.jurisdiction).toMatchObject(three);
  });
});

describe('2. Round', () => {
  test('is an empty object in authenticate for a player who has never played', async () => {
    expect((await authenticated()).round).toEqual({});
  });

  test('is the same object in play and in authenticate', async () => {
    const sessionID = await server.liveSession();
    const played = await server.post('/wallet/play', { sessionID, amount: UNIT, mode: 'BASE' });
    const { body } = await server.post('/wallet/authenticate', { sessionID });
    expect(body.round).toEqual(played.body.round);
  });
});

describe('2. Session', () => {
  test('is identified by the sessionID of the launch, and its internal fields are not exposed', async () => {
    const { url, sessionID } = (await server.post('/session/start', { token: 'private-name', country: 'FI' })).body;
    expect(new URL(url).searchParams.get('sessionID')).toBe(sessionID);
    const entered = await server.post('/wallet/authenticate', { sessionID });
    expect(Object.keys(entered.body).sort()).toEqual(['balance', 'config', 'meta', 'round']);
    for (const hidden of [sessionID, 'private-name', 'FI', 'house', 'expires']) {
      expect(entered.text).not.toContain(hidden);
    }
  });
});
