import { beforeAll, describe, expect, it } from 'vitest';
import { lockAccount } from '../support/accountLock.ts';
import { BOOK } from '../support/fixtureGame.ts';
import { expectRefusal, snapshot } from '../support/snapshot.ts';
import { clientOf, type GameClient, OPENING, type TestResponse, UNIT, useTestServer } from '../support/testServer.ts';

const server = useTestServer();
let otherNode: GameClient;
beforeAll(async () => {
  const node = await server.startNode();
  otherNode = clientOf(node.url);
  return () => node.close();
});

type Sent = { sessionID: string; amount?: number; mode?: string; key?: string };

let players = 0;

/** A player of the test's own, with as many live sessions as are asked for. */
async function newPlayer(sessions: number) {
  players += 1;
  const token = `at-once-${players}`;
  const sessionIDs: string[] = [];
  for (let count = 0; count < sessions; count += 1) sessionIDs.push(await server.liveSession({ token }));
  return { token, sessionID: sessionIDs[0] ?? '', otherSessionID: sessionIDs[1] ?? '' };
}

async function play(client: GameClient, { key, amount = UNIT, mode = 'BASE', sessionID }: Sent): Promise<TestResponse> {
  return client.post('/wallet/play', { sessionID, amount, mode }, key === undefined ? {} : { 'Idempotency-Key': key });
}

// One node runs a player's commands in turn; of two nodes both wait for the account.
describe.each([
  { nodes: 'one node', others: () => server, waiting: 1 },
  { nodes: 'two nodes', others: () => otherNode, waiting: 2 },
])('at the same instant, at $nodes', ({ others, waiting }) => {
  /** Both calls are sent before either may touch the account. */
  async function together(
    token: string,
    calls: readonly ((client: GameClient) => Promise<TestResponse>)[],
  ): Promise<TestResponse[]> {
    const lock = await lockAccount(server.databaseUrl, token);
    try {
      const responses = Promise.all(calls.map((call, index) => call(index === 0 ? server : others())));
      await lock.untilWaiting(waiting);
      await lock.release();
      return await responses;
    } finally {
      await lock.release();
    }
  }

  async function expectRounds(sessionID: string, expected: { rounds: number; balance: number }) {
    const { rounds, accounts } = await snapshot(server, sessionID);
    expect({ rounds: rounds.length, balance: accounts[0]?.balance_micros }).toEqual(expected);
  }

  it.each<{ plays: string; both: Partial<Sent>[]; sessions: 1 | 2; about: string }>([
    { plays: 'two sessions of one player', both: [{}, {}], sessions: 2, about: 'a round is active' },
    { plays: 'a key for two amounts', both: [{ key: 'k' }, { key: 'k', amount: 2 * UNIT }], sessions: 1, about: 'bet' },
    { plays: 'two keys', both: [{ key: 'k' }, { key: 'l' }], sessions: 1, about: 'a round is active' },
    // A key belongs to its session.
    { plays: 'one key in two sessions', both: [{ key: 'k' }, { key: 'k' }], sessions: 2, about: 'a round is active' },
  ])('two plays with $plays open one round', async ({ both, sessions, about }) => {
    const { token, sessionID, otherSessionID } = await newPlayer(sessions);
    const sessionIDs = [sessionID, sessions === 1 ? sessionID : otherSessionID];
    const plays = both.map((sent, index) => (client: GameClient) => {
      return play(client, { sessionID: sessionIDs[index] ?? '', ...sent });
    });
    const [opened, refused] = (await together(token, plays)).toSorted((a, b) => a.status - b.status) as [
      TestResponse,
      TestResponse,
    ];
    expect([opened.status, opened.body.balance?.amount]).toEqual([200, OPENING - opened.body.round?.amount]);
    expectRefusal(refused, 'ERR_VAL', about);
    await expectRounds(sessionID, { rounds: 1, balance: OPENING - opened.body.round.amount });
  });

  it.each([
    { key: 'no key', headers: {}, shown: 1 },
    { key: 'one key', headers: { 'Idempotency-Key': 'spin-1' }, shown: 50 },
  ])('fifty identical plays with $key open one round, and as many end-rounds pay once', async ({ headers, shown }) => {
    const { sessionID } = await newPlayer(1);
    const send = (path: string, more: object = {}) =>
      Promise.all(
        Array.from({ length: 50 }, (_, index) =>
          (index % 2 ? server : others()).post(path, { sessionID, ...more }, headers),
        ),
      );
    const responses = await send('/wallet/play', { amount: UNIT, mode: 'BASE' });
    const opened = responses.filter(({ status }) => status === 200);
    expect([opened.length, new Set(opened.map(({ text }) => text)).size]).toEqual([shown, 1]);
    for (const refused of responses.filter(({ status }) => status !== 200))
      expectRefusal(refused, 'ERR_VAL', 'a round is active');
    await expectRounds(sessionID, { rounds: 1, balance: OPENING - UNIT });
    const paid = { balance: { amount: OPENING - UNIT + opened[0]?.body.round.payout, currency: 'USD' } };
    expect((await send('/wallet/end-round')).map(({ body }) => body)).toEqual(Array(50).fill(paid));
  });

  it('two plays of which the balance covers one', async () => {
    const { token, sessionID, otherSessionID } = await newPlayer(2);
    await server.newSession({ token, setBalance: UNIT });
    // A session each, because a forced outcome serves one play: either round closes itself.
    const closes = { mode: 'AUTO', bookID: BOOK.pays0 };
    await server.post('/game/force', { ...closes, sessionID });
    await others().post('/game/force', { ...closes, sessionID: otherSessionID });
    const responses = await together(token, [
      (a) => play(a, { sessionID, mode: 'AUTO' }),
      (b) => play(b, { sessionID: otherSessionID, mode: 'AUTO' }),
    ]);
    const [opened, refused] = responses.toSorted((a, b) => a.status - b.status);
    expect([opened?.status, opened?.body.round?.active]).toEqual([200, false]);
    expectRefusal(refused as TestResponse, 'ERR_IPB');
    await expectRounds(sessionID, { rounds: 1, balance: 0 });
  });

  it('twenty events are all kept, in an order', async () => {
    const { sessionID } = await newPlayer(1);
    await server.playBook(sessionID, BOOK.pays0);
    const sent = Array.from({ length: 20 }, (_, index) => `picked:${index}`);
    const responses = await Promise.all(
      sent.map((event, index) => (index % 2 ? server : others()).post('/bet/event', { sessionID, event })),
    );
    expect(responses.map(({ body }) => body.event)).toEqual(sent);
    const { events } = await snapshot(server, sessionID);
    expect(events.map(({ seq }) => seq)).toEqual(sent.map((_, index) => index + 1));
    expect(events.map(({ event }) => event).sort()).toEqual(sent.toSorted());
    const { round } = (await server.post('/wallet/authenticate', { sessionID })).body;
    expect(round.event).toBe(events.at(-1)?.event);
  });
});
