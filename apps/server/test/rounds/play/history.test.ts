import type { HistoryResponse } from '@roundhouse/contract';
import { describe, expect, it } from 'vitest';
import { voidRound } from '../../../src/ledger/voidAndComplete.ts';
import { BOOK, writeFixtureGame } from '../../support/fixtureGame.ts';
import { expectNothingChanged, expectRefused } from '../../support/snapshot.ts';
import { type GameClient, serveGames, UNIT, useTestServer } from '../../support/testServer.ts';

const server = useTestServer();

async function historyOf(sessionID: string, page: object = {}, client: GameClient = server): Promise<HistoryResponse> {
  const { status, body } = await client.history(sessionID, page);
  expect(status, JSON.stringify(body)).toBe(200);
  return body;
}
const betIDsOf = ({ rounds }: HistoryResponse) => rounds.map(({ betID }) => betID);

async function playToEnd(sessionID: string): Promise<number> {
  const { body } = await server.playBook(sessionID, BOOK.pays150);
  await server.endRound(sessionID);
  return body.round.betID;
}

/** Returns the ids of `count` rounds, oldest first. */
async function playRounds(sessionID: string, count: number): Promise<number[]> {
  const betIDs: number[] = [];
  while (betIDs.length < count) betIDs.push(await playToEnd(sessionID));
  return betIDs;
}

describe('the history', () => {
  it('is empty before the first round', async () => {
    expect(await historyOf(await server.liveSession())).toEqual({ rounds: [], next: null });
  });

  it('has all of a completed round; its book replays what was played', async () => {
    const sessionID = await server.liveSession();
    const { balance } = (await server.balance(sessionID)).body;
    const from = Date.now();
    const { round } = (await server.playBook(sessionID, BOOK.pays150, { amount: 2 * UNIT, mode: 'ante' })).body;
    await server.endRound(sessionID);
    const { rounds, next } = await expectNothingChanged(server, () => historyOf(sessionID));
    expect(next).toBeNull();
    expect(rounds).toEqual([
      {
        ...{ betID: round.betID, gameVersion: '1.0.0', mode: 'Ante', bookID: BOOK.pays150, active: false },
        ...{ amount: 2 * UNIT, costMultiplier: 1.25, payout: 3 * UNIT, payoutMultiplier: 1.5 },
        ...{ balanceBefore: balance.amount, startedAt: expect.any(String), endedAt: expect.any(String) },
      },
    ]);
    const [startedAt = 0, endedAt] = [rounds[0]?.startedAt, rounds[0]?.endedAt].map((at) => Date.parse(at ?? ''));
    // The clock of the database may differ from this one by a little.
    expect(Math.abs(startedAt - from)).toBeLessThan(60_000);
    expect(endedAt).toBeGreaterThanOrEqual(startedAt);
    const replayed = await server.send(`/bet/replay/fixture/1.0.0/ANTE/${rounds[0]?.bookID}`);
    expect(replayed.body.state).toEqual(round.state);
  });

  it('has no book of an active round and no end, and of a void one no book and no payout', async () => {
    const sessionID = await server.liveSession();
    const { betID } = (await server.playBook(sessionID, BOOK.pays150)).body.round;
    const [active] = (await historyOf(sessionID)).rounds;
    expect(active).toMatchObject({ betID, active: true, endedAt: null, payout: 1.5 * UNIT });
    const { id: operatorID } = await server.db.operator.findUniqueOrThrow({ where: { code: 'house' } });
    await voidRound(server.db, { operatorID, roundID: BigInt(betID), reason: 'a test' });
    const [returned] = (await historyOf(sessionID)).rounds;
    const nothing = { payout: 0, payoutMultiplier: 0 };
    expect(returned).toMatchObject({ betID, void: true, active: false, amount: UNIT, ...nothing });
    for (const round of [active, returned]) expect(round).not.toHaveProperty('bookID');
  });
});

describe('the rounds of the history', () => {
  it('come newest first, page by page, each once', async () => {
    const sessionID = await server.liveSession();
    const played = (await playRounds(sessionID, 5)).reverse();
    const first = await historyOf(sessionID, { limit: 2 });
    expect([betIDsOf(first), first.next]).toEqual([played.slice(0, 2), played[1]]);
    const newest = await playToEnd(sessionID);
    const second = await historyOf(sessionID, { limit: 2, before: first.next });
    expect([betIDsOf(second), second.next]).toEqual([played.slice(2, 4), played[3]]);
    const last = await historyOf(sessionID, { limit: 2, before: second.next });
    expect([betIDsOf(last), last.next]).toEqual([played.slice(4), null]);
    // A page that ends with the first round of all is the last page.
    const whole = await historyOf(sessionID, { limit: 6 });
    expect([betIDsOf(whole), whole.next]).toEqual([[newest, ...played], null]);
    for (const [before, length] of [
      [1, 0],
      [Number.MAX_SAFE_INTEGER, 6],
    ])
      expect((await historyOf(sessionID, { before })).rounds).toHaveLength(length ?? 0);
  });

  it('are twenty without a limit, and fifty at most', async () => {
    const sessionID = await server.liveSession();
    await playRounds(sessionID, 52);
    expect((await historyOf(sessionID)).rounds).toHaveLength(20);
    const { rounds, next } = await historyOf(sessionID, { limit: 50 });
    expect([rounds.length, next]).toEqual([50, rounds.at(-1)?.betID]);
  });

  it('are those of the player in every session and version of the game, and no others, on every node', async () => {
    const token = 'many rounds';
    const betID = await playToEnd(await server.liveSession({ token }));
    const games = [await writeFixtureGame({ version: '2.0.0' }), await writeFixtureGame({ id: 'another' })];
    const node = await serveGames(server, games);
    for (const other of [{}, { token, currency: 'EUR' }, { token, gameID: 'another' }])
      expect((await historyOf(await node.liveSession({ gameID: 'fixture', ...other }), {}, node)).rounds).toEqual([]);
    const sessionID = await node.liveSession({ token, gameID: 'fixture' });
    const { round } = (await node.playBook(sessionID, BOOK.pays20)).body;
    const expected = [
      { betID: round.betID, gameVersion: '2.0.0' },
      { betID, gameVersion: '1.0.0' },
    ];
    for (const each of [node, server]) expect((await historyOf(sessionID, {}, each)).rounds).toMatchObject(expected);
  });
});

it.each([
  ...[0, -1, 51, 1.5, '20', null, 1e300].map((limit) => ({ limit })),
  ...[0, -1, 1.5, '7', null, 2 ** 53, [7], {}].map((before) => ({ before })),
])('a history of %j is ERR_VAL', async (page) => {
  const call = { path: '/bet/history', body: { sessionID: await server.liveSession(), ...page } };
  await expectRefused(server, call, 'ERR_VAL', `${Object.keys(page)}: `);
});
