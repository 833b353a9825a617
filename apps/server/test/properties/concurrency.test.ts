import { beforeAll, expect, it } from 'vitest';
import { type CheckedClient, checkedClient, OPENING, UNIT, useCheckedServer } from '../support/checkedServer.ts';
import { expectRefusal, snapshot } from '../support/snapshot.ts';
import { expectBooksBalance, type TestResponse } from '../support/testServer.ts';

const PLAYERS = 200;
const ROUNDS = 5;
const AT_ONCE = 32;
const IDENTICAL = 50;

const server = useCheckedServer();
let nodes: readonly CheckedClient[];
beforeAll(async () => {
  const other = await server.startNode();
  nodes = [server, checkedClient(other.url)];
  return () => other.close();
});

/** Each request goes to the next node. */
let sent = 0;
function nextNode(): CheckedClient {
  sent += 1;
  return nodes[sent % nodes.length] as CheckedClient;
}

/** A player, and the balance that follows from the responses so far. */
type Seat = { sessionID: string; balance: number };

const playOnce = (sessionID: string, headers: Record<string, string> = {}) =>
  nextNode().post('/wallet/play', { sessionID, amount: UNIT, mode: 'BASE' }, headers);
const endRound = (sessionID: string) => nextNode().post('/wallet/end-round', { sessionID });

/** A whole round with a drawn outcome, in which each response adds up. */
async function playRound(seat: Seat): Promise<void> {
  const played = await playOnce(seat.sessionID);
  expect([played.status, played.body.balance?.amount], played.text).toEqual([200, seat.balance - UNIT]);
  const ended = await endRound(seat.sessionID);
  seat.balance += played.body.round.payout - UNIT;
  expect([ended.status, ended.body.balance?.amount], ended.text).toEqual([200, seat.balance]);
}

/** Does a job for each item, so many at a time. */
async function forEach<Item>(items: Iterable<Item>, job: (item: Item) => Promise<void>): Promise<void> {
  const queue = items[Symbol.iterator]();
  const work = async () => {
    for (let next = queue.next(); !next.done; next = queue.next()) await job(next.value);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
}

const identical = (send: () => Promise<TestResponse>) => Promise.all(Array.from({ length: IDENTICAL }, send));

it(`${PLAYERS} players play ${ROUNDS} rounds each at two nodes, ${AT_ONCE} at once`, async () => {
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

it.each([
  { key: 'no key', headers: {}, shown: 1 },
  { key: 'one key', headers: { 'Idempotency-Key': 'spin-1' }, shown: IDENTICAL },
])(`${IDENTICAL} identical plays at once with $key open one round, and as many end-rounds pay once`, async (plays) => {
  const sessionID = await server.liveSession();
  const responses = await identical(() => playOnce(sessionID, plays.headers));
  const opened = responses.filter(({ status }) => status === 200);
  expect([opened.length, new Set(opened.map(({ text }) => text)).size]).toEqual([plays.shown, 1]);
  for (const refused of responses.filter(({ status }) => status !== 200)) {
    expectRefusal(refused, 'ERR_VAL', 'a round is active');
  }
  const { rounds, accounts } = await snapshot(server, sessionID);
  expect([rounds.length, accounts[0]?.balance_micros]).toEqual([1, OPENING - UNIT]);

  const paid = { balance: { amount: OPENING - UNIT + opened[0]?.body.round.payout, currency: 'USD' } };
  const ended = await identical(() => endRound(sessionID));
  expect(ended.map(({ body }) => body)).toEqual(Array(IDENTICAL).fill(paid));
  await expectBooksBalance(server.db);
});
