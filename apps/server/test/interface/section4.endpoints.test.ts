import { describe, expect, test } from 'vitest';
import { ENDPOINTS, OPENING, sessionInRound, UNIT, useCheckedServer } from '../support/checkedServer.ts';
import { expectRefused, snapshot } from '../support/snapshot.ts';

const server = useCheckedServer();
const JSON_TYPE = { 'Content-Type': 'application/json' };

describe('4. Endpoints', () => {
  test.each([
    { path: '/wallet/authenticate', answers: ['balance', 'config', 'meta', 'round'] },
    { path: '/wallet/balance', answers: ['balance'] },
    { path: '/wallet/play', answers: ['balance', 'round'] },
    { path: '/wallet/end-round', answers: ['balance'] },
    { path: '/bet/event', answers: ['event'] },
  ])('row $path: takes a POST with a JSON body and answers $answers', async ({ path, answers }) => {
    const sessionID = path === '/wallet/play' ? await server.liveSession() : await sessionInRound(server);
    const more = ENDPOINTS.find((endpoint) => endpoint.path === path)?.more;
    const answer = await server.post(path, { sessionID, ...more }, JSON_TYPE);
    expect(answer.status).toBe(200);
    expect(Object.keys(answer.body).sort()).toEqual(answers);
  });

  test.each(ENDPOINTS)('$path is relative to base_url and takes POST only', async ({ path }) => {
    const answer = await server.send(path, { method: 'GET' });
    expect([answer.status, answer.body.error]).toEqual([400, 'ERR_VAL']);
    expect((await server.send(`/v1${path}`, { method: 'POST', body: '{}' })).status).toBe(404);
  });

  test.each(ENDPOINTS)('each body carries sessionID, a required string: $path', async ({ path, more }) => {
    const sessionID = await sessionInRound(server);
    const before = await snapshot(server, sessionID);
    for (const wrong of [{}, { sessionID: null }, { sessionID: 7 }, { sessionID: [sessionID] }, { sessionID: '' }]) {
      await expectRefused(server, { path, body: { ...more, ...wrong } }, 'ERR_VAL');
    }
    expect(await snapshot(server, sessionID)).toEqual(before);
  });
});

describe('4. POST /wallet/authenticate', () => {
  test('request row sessionID: string, required; sent as application/json', async () => {
    const sessionID = await server.newSession();
    expect((await server.post('/wallet/authenticate', { sessionID }, JSON_TYPE)).status).toBe(200);
    expect((await server.post('/wallet/authenticate', {}, JSON_TYPE)).body.error).toBe('ERR_VAL');
  });

  test('response rows balance and config: the resources', async () => {
    const sessionID = await server.newSession({ balance: 7 * UNIT });
    const { body } = await server.post('/wallet/authenticate', { sessionID });
    expect(body.balance).toEqual({ amount: 7 * UNIT, currency: 'USD' });
    expect(body.config).toMatchObject({ minBet: 200_000, maxBet: 100 * UNIT, stepBet: 100_000 });
  });

  test('response row round: the active round to resume, or the last completed one', async () => {
    const sessionID = await sessionInRound(server);
    expect((await server.post('/wallet/authenticate', { sessionID })).body.round.active).toBe(true);
    await server.post('/wallet/end-round', { sessionID });
    expect((await server.post('/wallet/authenticate', { sessionID })).body.round.active).toBe(false);
  });

  test.each(ENDPOINTS.slice(1))('rule 1: $path before authenticate fails with ERR_IS', async ({ path, more }) => {
    const sessionID = await server.newSession();
    await expectRefused(server, { path, body: { sessionID, ...more } }, 'ERR_IS');
    expect((await snapshot(server, sessionID)).session?.state).toBe('issued');
  });

  test('rule 2: repeated, it returns the current state, creates no duplicate session and resets no round', async () => {
    const sessionID = await sessionInRound(server);
    const before = await snapshot(server, sessionID);
    const answers = await Promise.all([1, 2, 3].map(() => server.post('/wallet/authenticate', { sessionID })));
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect(answers[0]?.body.balance.amount).toBe(OPENING - UNIT);
    expect(answers[0]?.body.round.active).toBe(true);
    const after = await snapshot(server, sessionID);
    expect(after.counts).toEqual(before.counts);
    expect(after.rounds).toEqual(before.rounds);
  });
});

describe('4. POST /wallet/balance', () => {
  test('request sessionID, response balance; periodic refresh changes nothing', async () => {
    const sessionID = await sessionInRound(server);
    const before = await snapshot(server, sessionID);
    for (const _poll of [1, 2, 3]) {
      const { body } = await server.post('/wallet/balance', { sessionID });
      expect(body).toEqual({ balance: { amount: OPENING - UNIT, currency: 'USD' } });
    }
    expect(await snapshot(server, sessionID)).toEqual(before);
  });
});

describe('4. POST /wallet/play', () => {
  test.each([
    { row: 'sessionID', missing: { sessionID: undefined }, wrong: { sessionID: 1 } },
    { row: 'amount', missing: { amount: undefined }, wrong: { amount: '1000000' } },
    { row: 'mode', missing: { mode: undefined }, wrong: { mode: 1 } },
  ])('request row $row: required, and of its type', async ({ missing, wrong }) => {
    const sessionID = await server.liveSession();
    const good = { sessionID, amount: UNIT, mode: 'BASE' };
    const before = await snapshot(server, sessionID);
    await expectRefused(server, { path: '/wallet/play', body: { ...good, ...missing } }, 'ERR_VAL');
    await expectRefused(server, { path: '/wallet/play', body: { ...good, ...wrong } }, 'ERR_VAL');
    expect(await snapshot(server, sessionID)).toEqual(before);
    expect((await server.post('/wallet/play', good)).status).toBe(200);
  });

  test('request row mode: the name of a bet mode of the game, and of no other', async () => {
    const sessionID = await server.liveSession();
    await expectRefused(server, { path: '/wallet/play', body: { sessionID, amount: UNIT, mode: 'SUPER' } }, 'ERR_VAL');
  });

  test('response: balance after a debit of amount times the cost multiplier, and the round', async () => {
    const sessionID = await server.liveSession();
    const { body } = await server.post('/wallet/play', { sessionID, amount: 2 * UNIT, mode: 'BONUS' });
    expect(body.balance).toEqual({ amount: OPENING - 200 * UNIT, currency: 'USD' });
    expect(body.round).toMatchObject({ amount: 2 * UNIT, costMultiplier: 100, mode: 'BONUS', active: true });
  });
});

describe('4. POST /wallet/end-round', () => {
  test('request sessionID, response balance after payout', async () => {
    const sessionID = await sessionInRound(server);
    const { body } = await server.post('/wallet/end-round', { sessionID });
    expect(body).toEqual({ balance: { amount: OPENING + 0.5 * UNIT, currency: 'USD' } });
  });
});

describe('4. POST /bet/event', () => {
  test('request rows sessionID and event: both required, both strings', async () => {
    const sessionID = await sessionInRound(server);
    for (const body of [{ sessionID }, { sessionID, event: 3 }, { sessionID, event: null }, { event: 'picked:3' }]) {
      await expectRefused(server, { path: '/bet/event', body }, 'ERR_VAL');
    }
    expect((await snapshot(server, sessionID)).events).toEqual([]);
  });

  test('response: event, echoing the recorded one', async () => {
    const sessionID = await sessionInRound(server);
    const { status, body } = await server.post('/bet/event', { sessionID, event: 'Ä "漢" \\ 🎰' });
    expect(status).toBe(200);
    expect(body).toEqual({ event: 'Ä "漢" \\ 🎰' });
  });
});
