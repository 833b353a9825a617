import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type CheckedClient, checkedClient, OPENING, UNIT, useCheckedServer } from '../support/checkedServer.ts';
import { expectRefusal, snapshot } from '../support/snapshot.ts';
import { type Answer, expectBooksBalance } from '../support/testServer.ts';

const PLAYERS = 200;
const ROUNDS = 5;
const AT_ONCE = 32;
const IDENTICAL = 50;

const server = useCheckedServer();
let otherNode: CheckedClient;
let closeOtherNode: () => Promise<void>;
beforeAll(async () => {
  const node = await server.startNode();
  otherNode = checkedClient(node.url);
  closeOtherNode = () => node.close();
});
afterAll(() => closeOtherNode());

/** A player, and what they must have by what the server has answered so far. */
type Seat = { sessionID: string; balance: number };

/** Does a job for each item, so many at a time. */
async function forEach<Item>(items: Iterable<Item>, job: (item: Item) => Promise<void>): Promise<void> {
  const queue = items[Symbol.iterator]();
  const work = async () => {
    for (let next = queue.next(); !next.done; next = queue.next()) await job(next.value);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
}

describe.each([
  { nodes: 'one node', clients: () => [server] },
  { nodes: 'two nodes', clients: () => [server, otherNode] },
])('at $nodes', ({ clients }) => {
  /** Each call goes to the next node. */
  let calls = 0;
  function nextClient(): CheckedClient {
    calls += 1;
    return clients()[calls % clients().length] as CheckedClient;
  }

  const playOnce = (sessionID: string, headers: Record<string, string> = {}) =>
    nextClient().post('/wallet/play', { sessionID, amount: UNIT, mode: 'BASE' }, headers);

  /** A whole round with a drawn outcome, in which every answer adds up. */
  async function playRound(seat: Seat): Promise<void> {
    const { sessionID } = seat;
    const played = await playOnce(sessionID);
    expect({ status: played.status, balance: played.body.balance?.amount }, played.text).toEqual({
      status: 200,
      balance: seat.balance - UNIT,
    });
    const ended = await nextClient().post('/wallet/end-round', { sessionID });
    seat.balance += played.body.round.payout - UNIT;
    expect({ status: ended.status, balance: ended.body.balance?.amount }, ended.text).toEqual({
      status: 200,
      balance: seat.balance,
    });
  }

  /** The player has exactly one round, and it was paid for exactly once. */
  async function expectOneRound(sessionID: string): Promise<void> {
    const { rounds, accounts } = await snapshot(server, sessionID);
    expect([rounds.length, accounts[0]?.balance_micros]).toEqual([1, OPENING - UNIT]);
    await expectBooksBalance(server.db);
  }

  const identical = (send: () => Promise<Answer>) => Promise.all(Array.from({ length: IDENTICAL }, send));

  it(`${PLAYERS} players play ${ROUNDS} rounds each, ${AT_ONCE} at once`, async () => {
    const seats: Seat[] = [];
    await forEach(Array.from({ length: PLAYERS }), async () => {
      seats.push({ sessionID: await server.liveSession(), balance: OPENING });
    });
    // Round after round, so that the players in flight at one moment are always others.
    for (let round = 0; round < ROUNDS; round += 1) await forEach(seats, playRound);

    await forEach(seats, async ({ sessionID, balance }) => {
      const { rounds, accounts } = await snapshot(server, sessionID);
      const open = rounds.filter((round) => round.closed_at === null).length;
      expect([rounds.length, open, accounts[0]?.balance_micros]).toEqual([ROUNDS, 0, balance]);
    });
    await expectBooksBalance(server.db);
  });

  it(`of ${IDENTICAL} identical plays at once exactly one opens a round`, async () => {
    const sessionID = await server.liveSession();
    const answers = await identical(() => playOnce(sessionID));
    const [opened, ...others] = answers.toSorted((a, b) => a.status - b.status) as [Answer, ...Answer[]];
    expect([opened.status, opened.body.balance?.amount]).toEqual([200, OPENING - UNIT]);
    for (const refused of others) expectRefusal(refused, 'ERR_VAL', 'a round is active');
    await expectOneRound(sessionID);
  });

  it(`${IDENTICAL} identical plays at once with one key are one round`, async () => {
    const sessionID = await server.liveSession();
    const answers = await identical(() => playOnce(sessionID, { 'Idempotency-Key': 'spin-1' }));
    expect(answers.map(({ status }) => status)).toEqual(Array(IDENTICAL).fill(200));
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    await expectOneRound(sessionID);
  });

  it(`${IDENTICAL} end-rounds at once pay once`, async () => {
    const sessionID = await server.liveSession();
    const { payout } = (await playOnce(sessionID)).body.round;
    const answers = await identical(() => nextClient().post('/wallet/end-round', { sessionID }));
    const paid = { balance: { amount: OPENING - UNIT + payout, currency: 'USD' } };
    expect(answers.map(({ body }) => body)).toEqual(Array(IDENTICAL).fill(paid));
    await expectBooksBalance(server.db);
  });
});
