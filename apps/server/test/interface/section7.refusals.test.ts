import { toMicros } from '@roundhouse/contract';
import { afterEach, describe, expect, test } from 'vitest';
import { setOperator } from '../../src/ledger/queries/operators.ts';
import { type DailyLimits, setDailyLimits, setLoginExpiry } from '../../src/ledger/queries/players.ts';
import { AFTER_AUTHENTICATE, ENDPOINTS, UNIT, useCheckedServer } from '../support/checkedServer.ts';
import { BOOK } from '../support/fixtureGame.ts';
import { endLifetime, HOUR_MS, idleFor, passDay, revoke } from '../support/moveTime.ts';
import { expectRefused } from '../support/snapshot.ts';
import { OPERATOR } from '../support/testServer.ts';

const server = useCheckedServer();
afterEach(() => setOperator(server.db, OPERATOR, { allowedCountries: [], blockedCountries: [] }));

const play = (sessionID: string, more: Record<string, unknown> = {}) => ({
  path: '/wallet/play',
  body: { sessionID, amount: UNIT, mode: 'BASE', ...more },
});

async function playerWithLimits(limits: DailyLimits): Promise<string> {
  const externalID = `limited-${JSON.stringify(limits)}`;
  const sessionID = await server.liveSession({ token: externalID });
  expect(await setDailyLimits(server.db, { operatorCode: OPERATOR, externalID, currency: 'USD' }, limits)).toBe(true);
  return sessionID;
}

async function playAndEnd(sessionID: string, book: number, amount = UNIT): Promise<void> {
  expect((await server.playBook(sessionID, book, { amount })).status).toBe(200);
  expect((await server.post('/wallet/end-round', { sessionID })).status).toBe(200);
}

describe('7. row 400 ERR_VAL: invalid request', () => {
  test.each(ENDPOINTS)('$path without a body that is JSON', async ({ path }) => {
    await expectRefused(server, { path, body: '{"sessionID":' }, 'ERR_VAL');
  });

  test.each([{ amount: 0 }, { amount: 50_000 }, { amount: 250_000 }, { amount: 200 * UNIT }, { mode: 'NONE' }])(
    'play with %j',
    async (wrong) => {
      await expectRefused(server, play(await server.liveSession(), wrong), 'ERR_VAL');
    },
  );

  test('play while a round is active, end-round of a player who never played, event without a round', async () => {
    const sessionID = await server.liveSession();
    await expectRefused(server, { path: '/wallet/end-round', body: { sessionID } }, 'ERR_VAL');
    await expectRefused(server, { path: '/bet/event', body: { sessionID, event: 'early' } }, 'ERR_VAL');
    await server.playBook(sessionID, BOOK.pays150);
    await expectRefused(server, play(sessionID), 'ERR_VAL');
  });
});

describe('7. row 400 ERR_IPB: insufficient player balance', () => {
  test('a play whose debit exceeds the balance by one micro; one that takes all of it is good (linked condition)', async () => {
    const short = await server.liveSession({ balance: 1_249_999 });
    await expectRefused(server, play(short, { mode: 'ANTE' }), 'ERR_IPB');
    const exact = await server.liveSession({ balance: 1_250_000 });
    expect((await server.post('/wallet/play', play(exact, { mode: 'ANTE' }).body)).body.balance.amount).toBe(0);
  });

  test('a payout that is still to come does not count', async () => {
    const sessionID = await server.liveSession({ balance: UNIT });
    await playAndEnd(sessionID, BOOK.pays0);
    await expectRefused(server, play(sessionID), 'ERR_IPB');
  });
});

describe('7. row 400 ERR_IS: invalid session token or session timeout', () => {
  test.each(ENDPOINTS)('$path: never issued, revoked, life ended', async ({ path, more }) => {
    await expectRefused(server, { path, body: { sessionID: 'never-issued', ...more } }, 'ERR_IS');
    for (const spoil of [revoke, endLifetime]) {
      const sessionID = await server.liveSession();
      await spoil(server, sessionID);
      await expectRefused(server, { path, body: { sessionID, ...more } }, 'ERR_IS');
    }
  });

  test.each(AFTER_AUTHENTICATE)('$path: before authentication (linked condition), timed out', async (endpoint) => {
    const { path, more } = endpoint;
    const sessionID = await server.newSession();
    await expectRefused(server, { path, body: { sessionID, ...more } }, 'ERR_IS');
    await server.post('/wallet/authenticate', { sessionID });
    await idleFor(server, sessionID, HOUR_MS);
    await expectRefused(server, { path, body: { sessionID, ...more } }, 'ERR_IS');
  });
});

describe('7. row 400 ERR_ATE: failed user authentication or token expired', () => {
  test.each(ENDPOINTS)("$path: the player's login has expired", async ({ path, more }) => {
    const externalID = `expired-${path}`;
    const sessionID = await server.liveSession({ token: externalID });
    await setLoginExpiry(server.db, { operatorCode: OPERATOR, externalID }, new Date(Date.now() - 1));
    await expectRefused(server, { path, body: { sessionID, ...more } }, 'ERR_ATE');
    await setLoginExpiry(server.db, { operatorCode: OPERATOR, externalID }, null);
    expect((await server.post('/wallet/authenticate', { sessionID })).status).toBe(200);
  });
});

describe('7. row 400 ERR_GLE: gambling limits exceeded', () => {
  test('the daily wager limit: reached to the micro it is good, passed it is not, and winnings do not lower it', async () => {
    const sessionID = await playerWithLimits({ wagerMicros: toMicros(2 * UNIT) });
    await playAndEnd(sessionID, BOOK.pays150);
    await expectRefused(server, play(sessionID, { amount: 1_100_000 }), 'ERR_GLE');
    await playAndEnd(sessionID, BOOK.pays150);
    await expectRefused(server, play(sessionID, { amount: 200_000 }), 'ERR_GLE');
  });

  test('the daily wager limit counts the debit, not the base bet', async () => {
    const sessionID = await playerWithLimits({ wagerMicros: toMicros(1_249_999) });
    await expectRefused(server, play(sessionID, { mode: 'ANTE' }), 'ERR_GLE');
    expect((await server.post('/wallet/play', play(sessionID).body)).status).toBe(200);
  });

  test('the daily loss limit: what was won makes room for further bets', async () => {
    const sessionID = await playerWithLimits({ lossMicros: toMicros(UNIT) });
    await expectRefused(server, play(sessionID, { amount: 1_100_000 }), 'ERR_GLE');
    await playAndEnd(sessionID, BOOK.pays150);
    await playAndEnd(sessionID, BOOK.pays0, 1_500_000);
    await expectRefused(server, play(sessionID, { amount: 200_000 }), 'ERR_GLE');
  });

  test('both count one day: what was wagered and lost yesterday is not in the way', async () => {
    const sessionID = await playerWithLimits({ wagerMicros: toMicros(UNIT), lossMicros: toMicros(UNIT) });
    await playAndEnd(sessionID, BOOK.pays0);
    await expectRefused(server, play(sessionID), 'ERR_GLE');
    await passDay(server, sessionID);
    expect((await server.post('/wallet/play', play(sessionID).body)).status).toBe(200);
  });

  test('a limit stops plays and nothing else', async () => {
    const sessionID = await playerWithLimits({ wagerMicros: toMicros(UNIT), lossMicros: toMicros(2 * UNIT) });
    await server.playBook(sessionID, BOOK.pays150);
    for (const { path, more } of ENDPOINTS.filter((endpoint) => endpoint.path !== '/wallet/play').toReversed()) {
      expect((await server.post(path, { sessionID, ...more })).status, path).toBe(200);
    }
    await expectRefused(server, play(sessionID), 'ERR_GLE');
  });
});

describe('7. row 400 ERR_LOC: invalid player location', () => {
  test.each(ENDPOINTS)('$path: from a blocked country, and from one that is not allowed', async ({ path, more }) => {
    const swede = await server.liveSession({ country: 'SE' });
    const finn = await server.liveSession({ country: 'fi' });
    const nowhere = await server.liveSession();
    const call = (sessionID: string) => ({ path, body: { sessionID, ...more } });
    await setOperator(server.db, OPERATOR, { blockedCountries: ['SE'] });
    await expectRefused(server, call(swede), 'ERR_LOC');
    expect((await server.post('/wallet/balance', { sessionID: finn })).status).toBe(200);
    expect((await server.post('/wallet/balance', { sessionID: nowhere })).status).toBe(200);

    await setOperator(server.db, OPERATOR, { blockedCountries: [], allowedCountries: ['FI', 'NO'] });
    await expectRefused(server, call(swede), 'ERR_LOC');
    await expectRefused(server, call(nowhere), 'ERR_LOC');
    expect((await server.post('/wallet/balance', { sessionID: finn })).status).toBe(200);

    await setOperator(server.db, OPERATOR, { blockedCountries: ['FI'] });
    await expectRefused(server, call(finn), 'ERR_LOC');
  });
});
