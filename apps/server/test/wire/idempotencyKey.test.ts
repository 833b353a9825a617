import http from 'node:http';
import { describe, expect, test } from 'vitest';
import { checkedClient, OPENING, UNIT, useCheckedServer } from '../support/checkedServer.ts';
import { expectRefused, snapshot } from '../support/snapshot.ts';

const server = useCheckedServer();

const bet = (sessionID: string, more: Record<string, unknown> = {}) => ({
  sessionID,
  amount: UNIT,
  mode: 'BASE',
  ...more,
});
const play = (sessionID: string, key: string, more: Record<string, unknown> = {}) =>
  server.post('/wallet/play', bet(sessionID, more), { 'Idempotency-Key': key });

const counts = async (sessionID: string) => {
  const { rounds, counts } = await snapshot(server, sessionID);
  return { rounds: rounds.length, transfers: counts.transfers };
};

describe('play: Idempotency-Key', () => {
  test('is optional', async () => {
    const sessionID = await server.liveSession();
    expect((await server.post('/wallet/play', bet(sessionID))).status).toBe(200);
  });

  test('the same key with the same body answers with the same round and never debits twice', async () => {
    const sessionID = await server.liveSession();
    const first = await play(sessionID, 'key');
    const before = await counts(sessionID);
    for (const again of [await play(sessionID, 'key'), await play(sessionID, 'key')]) {
      expect(again.status).toBe(200);
      expect(again.text).toBe(first.text);
    }
    expect(await counts(sessionID)).toEqual(before);
    expect(first.body.balance.amount).toBe(OPENING - UNIT);
  });

  test('also when the first answer was lost, and at another node', async () => {
    const node = await server.startNode();
    const sessionID = await server.liveSession();
    const lost = http.request(`${server.url}/wallet/play`, {
      method: 'POST',
      headers: { 'Idempotency-Key': 'lost' },
    });
    lost.on('error', () => {});
    lost.end(JSON.stringify(bet(sessionID)));
    await expect.poll(async () => (await counts(sessionID)).rounds).toBe(1);
    lost.destroy();
    const again = await checkedClient(node.url).post('/wallet/play', bet(sessionID), { 'Idempotency-Key': 'lost' });
    expect(again.body.balance.amount).toBe(OPENING - UNIT);
    expect((await server.post('/wallet/authenticate', { sessionID })).body.round).toEqual(again.body.round);
    expect((await counts(sessionID)).rounds).toBe(1);
    await node.close();
  });

  test('of many at once with one key all answer with the one round', async () => {
    const sessionID = await server.liveSession();
    const answers = await Promise.all(Array.from({ length: 10 }, () => play(sessionID, 'at-once')));
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect(answers[0]?.body.balance.amount).toBe(OPENING - UNIT);
    expect((await counts(sessionID)).rounds).toBe(1);
  });

  test('after end-round too: the round comes back as it is now, with the balance of now', async () => {
    const sessionID = await server.liveSession();
    const { round } = (await play(sessionID, 'ended')).body;
    await server.post('/bet/event', { sessionID, event: 'picked:1' });
    const { balance } = (await server.post('/wallet/end-round', { sessionID })).body;
    const before = await counts(sessionID);
    const again = await play(sessionID, 'ended');
    expect(again.status).toBe(200);
    expect(again.body).toEqual({ balance, round: { ...round, active: false, event: 'picked:1' } });
    expect(await counts(sessionID)).toEqual(before);

    // A later round does not change which one the key stands for.
    const later = await play(sessionID, 'later');
    expect(later.body.round.betID).not.toBe(round.betID);
    expect((await play(sessionID, 'ended')).body.round.betID).toBe(round.betID);
  });

  test('the same body in another writing is the same body', async () => {
    const sessionID = await server.liveSession();
    const { round } = (await play(sessionID, 'writing', { mode: 'Ante' })).body;
    const again = await play(sessionID, 'writing', { mode: 'ANTE', language: 'fi' });
    expect(again.body.round).toEqual(round);
  });

  test.each([{ amount: 2 * UNIT }, { mode: 'ANTE' }, { amount: 250_000 }, { mode: 'NONE' }])(
    'the same key with another body (%j) is ERR_VAL, while the round is active and after it',
    async (other) => {
      const sessionID = await server.liveSession();
      await play(sessionID, 'other');
      const call = { path: '/wallet/play', body: bet(sessionID, other), headers: { 'Idempotency-Key': 'other' } };
      await expectRefused(server, call, 'ERR_VAL');
      await server.post('/wallet/end-round', { sessionID });
      await expectRefused(server, call, 'ERR_VAL');
    },
  );

  test.each([
    ['129 characters', 'k'.repeat(129)],
    ['200 characters', 'k'.repeat(200)],
  ])('of %s is ERR_VAL', async (_what, key) => {
    const sessionID = await server.liveSession();
    const headers = { 'Idempotency-Key': key };
    await expectRefused(server, { path: '/wallet/play', body: bet(sessionID), headers }, 'ERR_VAL');
  });

  test.each([
    ['1 character', 'k'],
    ['128 characters', 'k'.repeat(128)],
    ['letters beyond ASCII', 'clé-ö'],
  ])('of %s is taken, and matched exactly', async (_what, key) => {
    const sessionID = await server.liveSession();
    const { round } = (await play(sessionID, key)).body;
    expect((await play(sessionID, key)).body.round).toEqual(round);
    const headers = { 'Idempotency-Key': key.toUpperCase() };
    await expectRefused(server, { path: '/wallet/play', body: bet(sessionID), headers }, 'ERR_VAL');
  });

  test('the same key from another session, of the same player or of another, is independent', async () => {
    const first = await server.liveSession({ token: 'keys' });
    const { round } = (await play(first, 'shared')).body;
    await server.post('/wallet/end-round', { sessionID: first });
    for (const sessionID of [await server.liveSession({ token: 'keys' }), await server.liveSession()]) {
      const other = await play(sessionID, 'shared', { amount: 2 * UNIT });
      expect(other.status).toBe(200);
      expect(other.body.round.betID).not.toBe(round.betID);
      expect(other.body.round.amount).toBe(2 * UNIT);
    }
  });

  test.each([
    { why: 'ERR_IPB', balance: UNIT - 1, first: {}, repair: { setBalance: UNIT } },
    { why: 'ERR_VAL', balance: UNIT, first: { amount: 250_000 }, repair: {} },
  ] as const)('a first attempt that is refused with $why does not use the key up', async (attempt) => {
    const token = `refused-${attempt.why}`;
    const sessionID = await server.liveSession({ token, balance: attempt.balance });
    const headers = { 'Idempotency-Key': 'again' };
    await expectRefused(server, { path: '/wallet/play', body: bet(sessionID, attempt.first), headers }, attempt.why);
    await server.newSession({ token, ...attempt.repair });
    const second = await play(sessionID, 'again');
    expect([second.status, second.body.balance.amount]).toEqual([200, 0]);
    expect((await play(sessionID, 'again')).text).toBe(second.text);
  });

  test('the other endpoints ignore it', async () => {
    const sessionID = await server.liveSession();
    const headers = { 'Idempotency-Key': 'k'.repeat(129) };
    expect((await server.post('/wallet/balance', { sessionID }, headers)).status).toBe(200);
  });
});
