import { describe, expect, it } from 'vitest';
import { useGoodCalls } from '../support/goodCalls.ts';
import { exchangeRaw, parseRaw, rawHead } from '../support/rawHttp.ts';
import { expectNothingChanged, expectRefusal, expectRefused, snapshot } from '../support/snapshot.ts';
import { OPENING, type TestResponse, UNIT, useTestServer } from '../support/testServer.ts';

const server = useTestServer();
const calls = useGoodCalls(server);

const bet = (sessionID: string, more: object = {}) => ({ sessionID, amount: UNIT, mode: 'BASE', ...more });
const play = (sessionID: string, key: string, more: object = {}) =>
  server.post('/wallet/play', bet(sessionID, more), { 'Idempotency-Key': key });

/** With the header's bytes as they are given here, which fetch would not send. */
async function playRaw(sessionID: string, keys: readonly string[]): Promise<TestResponse> {
  const body = JSON.stringify(bet(sessionID));
  const head = rawHead('/wallet/play', { 'Content-Length': body.length });
  const lines = keys.map((key) => `Idempotency-Key: ${key}\r\n`).join('');
  return parseRaw(await exchangeRaw(server.url, Buffer.from(head.replace(/\r\n$/, `${lines}\r\n${body}`), 'utf8')));
}

const counts = async (sessionID: string) => {
  const { rounds, counts } = await snapshot(server, sessionID);
  return { rounds: rounds.length, transfers: counts.transfers };
};

describe('an Idempotency-Key', () => {
  it.each<[string, string[]]>([
    ['empty', ['']],
    ['given twice, which counts as one text of both', ['a'.repeat(64), 'b'.repeat(64)]],
    ['of 129 bytes of UTF-8: a header has no characters but bytes', ['漢'.repeat(43)]],
  ])('%s is refused', async (_what, keys) => {
    const response = await expectNothingChanged(server, () => playRaw(calls.play.body.sessionID, keys));
    expectRefusal(response, 'ERR_VAL', 'idempotency-key: ');
  });

  it.each([
    ['of 1 character', 'k'],
    ['of 128 characters', 'k'.repeat(128)],
    ['in UTF-8', 'clé-漢-🎰'],
    ['of a byte that no UTF-8 has', '\u00ff'],
    ['__proto__', '__proto__'],
  ])('%s is accepted; a repeated play returns the same round and debits nothing', async (_what, key) => {
    const sessionID = await server.liveSession();
    const first = await playRaw(sessionID, [key]);
    expect([first.status, first.body.balance?.amount]).toEqual([200, OPENING - UNIT]);
    const before = await counts(sessionID);
    for (const again of [await playRaw(sessionID, [key]), await playRaw(sessionID, [key])]) {
      expect([again.status, again.text]).toEqual([200, first.text]);
    }
    expect(await counts(sessionID)).toEqual(before);
  });

  it('that differs in case only is another key', async () => {
    const sessionID = await server.liveSession();
    await play(sessionID, 'key');
    const other = { path: '/wallet/play', body: bet(sessionID), headers: { 'Idempotency-Key': 'KEY' } };
    await expectRefused(server, other, 'ERR_VAL', 'active');
  });

  it('returns its round in its current state after end-round and after later rounds, with the current balance', async () => {
    const sessionID = await server.liveSession();
    const { round } = (await play(sessionID, 'ended')).body;
    await server.post('/bet/event', { sessionID, event: 'picked:1' });
    const { balance } = (await server.post('/wallet/end-round', { sessionID })).body;
    const before = await counts(sessionID);
    const again = await play(sessionID, 'ended');
    expect(again.body).toEqual({ balance, round: { ...round, active: false, event: 'picked:1' } });
    expect(await counts(sessionID)).toEqual(before);

    const later = await play(sessionID, 'later');
    expect(later.body.round.betID).not.toBe(round.betID);
    expect((await play(sessionID, 'ended')).body.round.betID).toBe(round.betID);
  });

  it.each([{ amount: 2 * UNIT }, { mode: 'ANTE' }, { amount: 250_000 }, { mode: 'NONE' }, { amount: 1 }])(
    'with another bet (%j) is refused, while the round is active and after it',
    async (other) => {
      const sessionID = await server.liveSession();
      await play(sessionID, 'other');
      const call = { path: '/wallet/play', body: bet(sessionID, other), headers: { 'Idempotency-Key': 'other' } };
      await expectRefused(server, call, 'ERR_VAL', 'another bet');
      await server.post('/wallet/end-round', { sessionID });
      await expectRefused(server, call, 'ERR_VAL', 'another bet');
    },
  );

  it.each([
    { why: 'ERR_IPB', balance: UNIT - 1, first: {}, repair: { setBalance: UNIT } },
    { why: 'ERR_VAL', balance: UNIT, first: { amount: 250_000 }, repair: {} },
  ] as const)('is not used up by a play that is refused with $why', async ({ why, balance, first, repair }) => {
    const token = `refused-${why}`;
    const sessionID = await server.liveSession({ token, balance });
    const headers = { 'Idempotency-Key': 'again' };
    await expectRefused(server, { path: '/wallet/play', body: bet(sessionID, first), headers }, why);
    await server.newSession({ token, ...repair });
    const second = await play(sessionID, 'again');
    expect([second.status, second.body.balance.amount]).toEqual([200, 0]);
    expect((await play(sessionID, 'again')).text).toBe(second.text);
  });
});
