import { beforeAll, describe, expect, it } from 'vitest';
import { writeFixtureGame } from '../../support/fixtureGame.ts';
import { useGoodCalls } from '../../support/goodCalls.ts';
import { revoke } from '../../support/moveTime.ts';
import { exchangeRaw, parseRaw, rawHead } from '../../support/rawHttp.ts';
import { expectNothingChanged, expectRefusal, expectRefused, snapshot } from '../../support/snapshot.ts';
import { BET, type GameNode, OPENING, serveGames, UNIT, useTestServer } from '../../support/testServer.ts';

const server = useTestServer();
const calls = useGoodCalls(server);

/** Sends the header's bytes as they are given here, which fetch would not send. */
async function playRaw(sessionID: string, ...keys: string[]) {
  const body = JSON.stringify({ sessionID, ...BET });
  const head = rawHead('/wallet/play', { 'Content-Length': body.length });
  const lines = keys.map((key) => `Idempotency-Key: ${key}\r\n`).join('');
  return parseRaw(await exchangeRaw(server.url, Buffer.from(head.replace(/\r\n$/, `${lines}\r\n${body}`), 'utf8')));
}

const keyed = (sessionID: string, key: string, more: object = {}) => {
  return { path: '/wallet/play', body: { sessionID, ...BET, ...more }, headers: { 'Idempotency-Key': key } };
};
const counts = async (sessionID: string) => (await snapshot(server, sessionID)).counts;

describe('an Idempotency-Key', () => {
  it.each<[string, string[]]>([
    ['given twice, which counts as one text of both', ['a'.repeat(64), 'b'.repeat(64)]],
    ['of 129 bytes of UTF-8: a header has no characters but bytes', ['漢'.repeat(43)]],
  ])('%s is refused', async (_what, keys) => {
    const response = await expectNothingChanged(server, () => playRaw(calls.play.body.sessionID, ...keys));
    expectRefusal(response, 'ERR_VAL', 'idempotency-key: ');
  });

  it.each([
    ['of 128 characters', 'k'.repeat(128)],
    ['in UTF-8', 'clé-漢-🎰'],
    ['of a byte that no UTF-8 has', '\u00ff'],
    ['like a list', '{a,"b",NULL}'],
  ])('%s is accepted; a repeated play returns the same round and debits nothing', async (_what, key) => {
    const sessionID = await server.liveSession();
    const first = await playRaw(sessionID, key);
    expect([first.status, first.body.balance?.amount]).toEqual([200, OPENING - UNIT]);
    const before = await counts(sessionID);
    for (const again of [await playRaw(sessionID, key), await playRaw(sessionID, key)])
      expect([again.status, again.text]).toEqual([200, first.text]);
    expect(await counts(sessionID)).toEqual(before);
  });

  it.each([
    ['in case only', 'key', 'KEY'],
    ['in blanks inside', 'a b', 'a  b'],
  ])('that differs %s is another key', async (_how, key, otherKey) => {
    const sessionID = await server.liveSession();
    expect((await playRaw(sessionID, key)).status).toBe(200);
    const refused = await expectNothingChanged(server, () => playRaw(sessionID, otherKey));
    expectRefusal(refused, 'ERR_VAL', 'a round is active');
  });

  it('returns its round in its current state after end-round and after later rounds, with the current balance', async () => {
    const sessionID = await server.liveSession();
    const { round } = (await server.play(sessionID, {}, 'ended')).body;
    await server.record(sessionID, 'picked:1');
    const { balance } = (await server.endRound(sessionID)).body;
    const before = await counts(sessionID);
    const again = await server.play(sessionID, {}, 'ended');
    expect(again.body).toEqual({ balance, round: { ...round, active: false, event: 'picked:1' } });
    expect(await counts(sessionID)).toEqual(before);

    expect((await server.play(sessionID, {}, 'later')).body.round.betID).not.toBe(round.betID);
    expect((await server.play(sessionID, {}, 'ended')).body.round.betID).toBe(round.betID);
  });

  it.each([{ amount: 2 * UNIT }, { mode: 'ANTE' }, { amount: 250_000 }, { mode: 'NONE' }, { amount: 1 }])(
    'with another bet (%j) is refused, while the round is active and after it',
    async (more) => {
      const sessionID = await server.liveSession();
      await server.play(sessionID, {}, 'other');
      await expectRefused(server, keyed(sessionID, 'other', more), 'ERR_VAL', 'another bet');
      await server.endRound(sessionID);
      await expectRefused(server, keyed(sessionID, 'other', more), 'ERR_VAL', 'another bet');
    },
  );

  it.each([
    { why: 'ERR_IPB', balance: UNIT - 1, more: {}, repair: { setBalance: UNIT } },
    { why: 'ERR_VAL', balance: UNIT, more: { amount: 250_000 }, repair: {} },
  ] as const)('is not used up by a play that is refused with $why', async ({ why, balance, more, repair }) => {
    const token = `refused-${why}`;
    const sessionID = await server.liveSession({ token, balance });
    await expectRefused(server, keyed(sessionID, 'again', more), why);
    await server.newSession({ token, ...repair });
    const second = await server.play(sessionID, {}, 'again');
    expect([second.status, second.body.balance.amount]).toEqual([200, 0]);
    expect((await server.play(sessionID, {}, 'again')).text).toBe(second.text);
  });
});

describe('an Idempotency-Key of one session', () => {
  /** It serves another game, and a later version of the game that `server` serves. */
  let others: GameNode;
  beforeAll(async () => {
    const later = await writeFixtureGame({ version: '2.0.0' });
    others = await serveGames(server, [await writeFixtureGame({ id: 'other' }), later]);
  });

  it.each([
    { whose: 'of the same player', token: 'owner', gameID: 'fixture', nodeOf: () => server },
    { whose: 'of the same player in another version', token: 'owner', gameID: 'fixture', nodeOf: () => others },
    { whose: 'of the same player in another game', token: 'owner', gameID: 'other', nodeOf: () => others },
    { whose: 'of another player', token: 'stranger', gameID: 'fixture', nodeOf: () => server },
  ])('is another key in a session $whose', async ({ whose, token, gameID, nodeOf }) => {
    const [node, player] = [nodeOf(), (name: string) => ({ token: `${name} ${whose}` })];
    const sessionID = await server.liveSession(player('owner'));
    const { betID } = (await server.play(sessionID, {}, 'mine')).body.round;
    const second = await node.liveSession({ ...player(token), gameID });
    // The round of the owner is active. Its player must not get it as the response to another bet.
    if (token === 'owner' && gameID === 'fixture') {
      await expectRefused(node, keyed(second, 'mine'), 'ERR_VAL', 'a round is active');
      await server.endRound(sessionID);
    }
    const before = (await server.balance(second)).body.balance.amount;
    const opened = await node.play(second, {}, 'mine');
    expect([opened.status, opened.body.balance?.amount]).toEqual([200, before - UNIT]);
    expect(opened.body.round.betID).toBeGreaterThan(betID);
    // Each session has its own round.
    expect((await node.play(second, {}, 'mine')).text).toBe(opened.text);
    expect((await server.play(sessionID, {}, 'mine')).body.round.betID).toBe(betID);
  });

  it('shows nothing when the session was revoked, also for a key that it has not used', async () => {
    const sessionID = await server.liveSession({ token: 'revoked' });
    await server.play(sessionID, {}, 'mine');
    await revoke(server, sessionID);
    for (const key of ['mine', 'unused']) await expectRefused(server, keyed(sessionID, key), 'ERR_IS');
  });
});
