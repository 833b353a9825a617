import { describe, expect, test } from 'vitest';
import { checkedClient, OPENING, sessionInRound, UNIT, useCheckedServer } from '../support/checkedServer.ts';
import { BOOK } from '../support/fixtureGame.ts';
import { expectRefused, snapshot } from '../support/snapshot.ts';

const server = useCheckedServer();
const endRound = (sessionID: string) => server.post('/wallet/end-round', { sessionID });
const record = (sessionID: string, event: string) => server.post('/bet/event', { sessionID, event });

describe('end-round', () => {
  test.each([
    { book: BOOK.pays0, payout: 0 },
    { book: BOOK.pays20, payout: 200_000 },
    { book: BOOK.pays150, payout: 1_500_000 },
    { book: BOOK.pays100000, payout: 1000 * UNIT },
  ])(
    'credits the payout of book $book, $payout, completes the round, answers the balance',
    async ({ book, payout }) => {
      const sessionID = await server.liveSession();
      await server.playBook(sessionID, book);
      const { body } = await endRound(sessionID);
      expect(body).toEqual({ balance: { amount: OPENING - UNIT + payout, currency: 'USD' } });
      const { rounds } = await snapshot(server, sessionID);
      expect(rounds.map(({ closed_at, payout_micros }) => [closed_at !== null, payout_micros])).toEqual([
        [true, payout],
      ]);
    },
  );

  test('is idempotent: with a completed round it answers 200 with the balance, and pays nothing', async () => {
    const sessionID = await sessionInRound(server);
    const first = await endRound(sessionID);
    const { counts, rounds, accounts } = await snapshot(server, sessionID);
    for (const again of [await endRound(sessionID), await endRound(sessionID)]) {
      expect([again.status, again.text]).toEqual([200, first.text]);
    }
    expect(await snapshot(server, sessionID)).toMatchObject({ counts, rounds, accounts });
  });

  test('of many at once, on two nodes, exactly one pays', async () => {
    const node = await server.startNode();
    const other = checkedClient(node.url);
    const sessionID = await sessionInRound(server);
    const before = await snapshot(server, sessionID);
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, index) => (index % 2 ? server : other).post('/wallet/end-round', { sessionID })),
    );
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`))).toEqual(
      new Set([`200 {"balance":{"amount":${OPENING + 500_000},"currency":"USD"}}`]),
    );
    expect((await snapshot(server, sessionID)).counts.transfers - before.counts.transfers).toBe(1);
    await node.close();
  });

  test('of a player who never played is ERR_VAL', async () => {
    const sessionID = await server.liveSession();
    await expectRefused(server, { path: '/wallet/end-round', body: { sessionID } }, 'ERR_VAL');
  });

  test('from a new session of a player who has played is not', async () => {
    const token = 'came-back';
    await server.playBook(await server.liveSession({ token }), BOOK.pays150);
    const sessionID = await server.liveSession({ token });
    expect((await endRound(sessionID)).body.balance.amount).toBe(OPENING + 500_000);
    expect((await endRound(await server.liveSession({ token }))).body.balance.amount).toBe(OPENING + 500_000);
  });
});

describe('event', () => {
  test.each([
    ['1 character', 'x'],
    ['1024 characters', 'y'.repeat(1024)],
    ['1024 characters of two units each', '🎰'.repeat(1024)],
    ['quotes, backslashes, line breaks', `'"\\\n\t{}[]$1%s`],
  ])('of %s is recorded as it is, and echoed', async (_what, event) => {
    const sessionID = await sessionInRound(server);
    const { status, body } = await record(sessionID, event);
    expect([status, body]).toEqual([200, { event }]);
    expect((await snapshot(server, sessionID)).events.map((row) => row.event)).toEqual([event]);
    expect((await server.post('/wallet/authenticate', { sessionID })).body.round.event).toBe(event);
  });

  test.each([
    ['0 characters', ''],
    ['1025 characters', 'y'.repeat(1025)],
    ['1025 characters of two units each', '🎰'.repeat(1025)],
  ])('of %s is ERR_VAL', async (_what, event) => {
    const sessionID = await sessionInRound(server);
    await expectRefused(server, { path: '/bet/event', body: { sessionID, event } }, 'ERR_VAL');
  });

  test('needs an active round: before the first one and after its end it is ERR_VAL', async () => {
    const sessionID = await server.liveSession();
    const call = { path: '/bet/event', body: { sessionID, event: 'picked:1' } };
    await expectRefused(server, call, 'ERR_VAL');
    await server.playBook(sessionID, BOOK.pays150);
    expect((await server.post(call.path, call.body)).status).toBe(200);
    await endRound(sessionID);
    await expectRefused(server, call, 'ERR_VAL');
  });

  test('every one is kept in order, equal ones too, and round.event is the latest', async () => {
    const sessionID = await sessionInRound(server);
    const sent = ['a', 'b', 'a', 'a', 'c'];
    for (const event of sent) {
      await record(sessionID, event);
      expect((await server.post('/wallet/authenticate', { sessionID })).body.round.event).toBe(event);
    }
    const { events } = await snapshot(server, sessionID);
    expect(events.map(({ seq, event }) => [seq, event])).toEqual(sent.map((event, index) => [index + 1, event]));
    await endRound(sessionID);
    expect((await server.post('/wallet/authenticate', { sessionID })).body.round).toMatchObject({
      active: false,
      event: 'c',
    });
  });

  test('of many at once, on two nodes, none is lost', async () => {
    const node = await server.startNode();
    const other = checkedClient(node.url);
    const sessionID = await sessionInRound(server);
    const sent = Array.from({ length: 20 }, (_, index) => `picked:${index}`);
    const answers = await Promise.all(
      sent.map((event, index) => (index % 2 ? server : other).post('/bet/event', { sessionID, event })),
    );
    expect(answers.map(({ body }) => body.event)).toEqual(sent);
    const { events } = await snapshot(server, sessionID);
    expect(events.map(({ seq }) => seq)).toEqual(sent.map((_, index) => index + 1));
    expect(events.map(({ event }) => event).sort()).toEqual(sent.toSorted());
    const { round } = (await server.post('/wallet/authenticate', { sessionID })).body;
    expect(round.event).toBe(events.at(-1)?.event);
    await node.close();
  });

  test('a round has at most 1000: of many at once only those are kept that have room, the others are ERR_VAL', async () => {
    const sessionID = await sessionInRound(server);
    await server.db.$executeRaw`
      INSERT INTO round_events (round_id, seq, event)
      SELECT id, seq, 'earlier' FROM rounds, generate_series(1, 995) seq WHERE id = (SELECT max(id) FROM rounds)`;
    const answers = await Promise.all(Array.from({ length: 9 }, (_, index) => record(sessionID, `late-${index}`)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 200, 200, 200, 400, 400, 400, 400]);
    const { body } = await expectRefused(
      server,
      { path: '/bet/event', body: { sessionID, event: 'one more' } },
      'ERR_VAL',
    );
    expect(body.message).toBe('the round has 1000 events, which is the most that a round may have');
    expect((await snapshot(server, sessionID)).events).toHaveLength(1000);
    expect((await endRound(sessionID)).status).toBe(200);
  });

  test('belongs to its round: the next one begins without', async () => {
    const sessionID = await sessionInRound(server);
    await record(sessionID, 'picked:1');
    await endRound(sessionID);
    const { body } = await server.playBook(sessionID, BOOK.pays20);
    expect(body.round.event).toBeNull();
    expect((await server.post('/wallet/authenticate', { sessionID })).body.round.event).toBeNull();
  });
});
