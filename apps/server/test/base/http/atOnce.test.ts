import { beforeAll, describe, expect, it } from 'vitest';
import { lockAccount } from '../../support/accountLock.ts';
import { BOOK } from '../../support/fixtureGame.ts';
import { expectRefusal, snapshot } from '../../support/snapshot.ts';
import { type GameClient, OPENING, type TestResponse, UNIT, useTestServer } from '../../support/testServer.ts';

const server = useTestServer();
let otherNode: GameClient;
beforeAll(async () => {
  otherNode = await server.startNode();
});

let players = 0;

/** Opens two live sessions of a player that no other test uses. */
async function newPlayer() {
  players += 1;
  const token = `at-once-${players}`;
  return { token, sessionIDs: [await server.liveSession({ token }), await server.liveSession({ token })] as const };
}

// One node runs a player's commands in turn; two nodes both wait for the account.
describe.each([
  { nodes: 'one node', others: () => server, waiting: 1 },
  { nodes: 'two nodes', others: () => otherNode, waiting: 2 },
])('at the same instant, at $nodes', ({ others, waiting }) => {
  const nodeOf = (index: number) => (index % 2 ? server : others());

  /** Sends both plays before either may touch the account; the response that is 200 comes first. */
  async function together(token: string, play: (index: 0 | 1, node: GameClient) => Promise<TestResponse>) {
    const lock = await lockAccount(server.databaseUrl, token);
    try {
      const responses = Promise.all([play(0, server), play(1, others())]);
      await lock.untilWaiting(waiting);
      await lock.release();
      return (await responses).sort((a, b) => a.status - b.status);
    } finally {
      await lock.release();
    }
  }

  async function expectRounds(sessionID: string, expected: { rounds: number; balance: number }) {
    const { rounds, accounts } = await snapshot(server, sessionID);
    expect({ rounds: rounds.length, balance: accounts[0]?.balance_micros }).toEqual(expected);
  }

  it.each([
    { plays: 'two sessions of one player', keys: [], sessions: 2, about: 'a round is active' },
    { plays: 'a key for two amounts', keys: ['k', 'k'], amounts: [UNIT, 2 * UNIT], sessions: 1, about: 'bet' },
    { plays: 'two keys', keys: ['k', 'l'], sessions: 1, about: 'a round is active' },
    // A key belongs to its session.
    { plays: 'one key in two sessions', keys: ['k', 'k'], sessions: 2, about: 'a round is active' },
  ])('two plays with $plays open one round', async ({ keys, amounts = [UNIT, UNIT], sessions, about }) => {
    const { token, sessionIDs } = await newPlayer();
    const [opened, refused] = await together(token, (index, node) =>
      node.play(sessionIDs[sessions === 1 ? 0 : index], { amount: amounts[index] }, keys[index]),
    );
    expect([opened?.status, opened?.body.balance?.amount]).toEqual([200, OPENING - opened?.body.round?.amount]);
    expectRefusal(refused as TestResponse, 'ERR_VAL', about);
    await expectRounds(sessionIDs[0], { rounds: 1, balance: OPENING - opened?.body.round.amount });
  });

  it.each([
    { keys: 'no key', key: undefined, shown: 1 },
    { keys: 'one key', key: 'spin-1', shown: 50 },
  ])('fifty identical plays with $keys open one round, and as many end-rounds pay once', async ({ key, shown }) => {
    const [sessionID] = (await newPlayer()).sessionIDs;
    const fifty = (send: (node: GameClient) => Promise<TestResponse>) =>
      Promise.all(Array.from({ length: 50 }, (_, index) => send(nodeOf(index))));
    const responses = await fifty((node) => node.play(sessionID, {}, key));
    const opened = responses.filter(({ status }) => status === 200);
    expect([opened.length, new Set(opened.map(({ text }) => text)).size]).toEqual([shown, 1]);
    for (const refused of responses.filter(({ status }) => status !== 200))
      expectRefusal(refused, 'ERR_VAL', 'a round is active');
    await expectRounds(sessionID, { rounds: 1, balance: OPENING - UNIT });
    const paid = { balance: { amount: OPENING - UNIT + opened[0]?.body.round.payout, currency: 'USD' } };
    expect((await fifty((node) => node.endRound(sessionID))).map(({ body }) => body)).toEqual(Array(50).fill(paid));
  });

  it('two plays of which the balance covers one', async () => {
    const { token, sessionIDs } = await newPlayer();
    await server.newSession({ token, setBalance: UNIT });
    // Each has its own session: a forced outcome serves one play. Either round completes itself.
    for (const [node, sessionID] of [[server, sessionIDs[0]] as const, [others(), sessionIDs[1]] as const])
      await node.post('/game/force', { mode: 'AUTO', bookID: BOOK.pays0, sessionID });
    const responses = await together(token, (index, node) => node.play(sessionIDs[index], { mode: 'AUTO' }));
    const [opened, refused] = responses as [TestResponse, TestResponse];
    expect([opened.status, opened.body.round?.active]).toEqual([200, false]);
    expectRefusal(refused, 'ERR_IPB');
    await expectRounds(sessionIDs[0], { rounds: 1, balance: 0 });
  });

  it('twenty events are all kept, in an order', async () => {
    const [sessionID] = (await newPlayer()).sessionIDs;
    await server.playBook(sessionID, BOOK.pays0);
    const sent = Array.from({ length: 20 }, (_, index) => `picked:${index}`);
    const responses = await Promise.all(sent.map((event, index) => nodeOf(index).record(sessionID, event)));
    expect(responses.map(({ body }) => body.event)).toEqual(sent);
    const { events } = await snapshot(server, sessionID);
    expect(events.map(({ seq }) => seq)).toEqual(sent.map((_, index) => index + 1));
    expect(events.map(({ event }) => event).sort()).toEqual(sent.toSorted());
    expect((await server.roundOf(sessionID)).event).toBe(events.at(-1)?.event);
  });
});
