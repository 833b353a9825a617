import { describe, expect, it } from 'vitest';
import { BOOK } from '../../support/fixtureGame.ts';
import { useGoodCalls } from '../../support/goodCalls.ts';
import { expectRefused, snapshot } from '../../support/snapshot.ts';
import { sessionInRound, useTestServer } from '../../support/testServer.ts';

const server = useTestServer();
const calls = useGoodCalls(server);

describe('an event', () => {
  it.each([
    ...[
      '🎰'.repeat(2048),
      `"${'\\"'.repeat(2000)}`,
      'x'.repeat(8192),
      '\u0001\u001f\u007f\u0085\u2028',
      `'"\\\n\t{}[]$1%s`,
      '\ufeff',
    ],
    // These are SQL, arrays of PostgreSQL and their elements, and text that normalization changes.
    ...["'); DROP TABLE rounds; --", '{"a","b",NULL}', '{}', 'NULL', ' ', ',', 'e\u0301 \u212b \ufb01'],
  ])('%j is recorded as it is, and comes back as it was sent', async (event) => {
    const { sessionID } = calls.event.body;
    const { status, body } = await server.record(sessionID, event);
    expect([status, body]).toEqual([200, { event }]);
    expect((await snapshot(server, sessionID)).events.at(-1)?.event).toBe(event);
    expect((await server.roundOf(sessionID)).event).toBe(event);
  });

  it('is kept in order, equal ones too; round.event is the latest; the next round begins without', async () => {
    const sessionID = await sessionInRound(server);
    const sent = ['a', 'b', 'a', 'a', 'c'];
    for (const event of sent) {
      await server.record(sessionID, event);
      expect((await server.roundOf(sessionID)).event).toBe(event);
    }
    const { events, rounds } = await snapshot(server, sessionID);
    expect(events.map(({ seq, event }) => [seq, event])).toEqual(sent.map((event, index) => [index + 1, event]));
    expect(rounds.map(({ ended_at }) => ended_at)).toEqual([null]);
    await server.endRound(sessionID);
    expect(await server.roundOf(sessionID)).toMatchObject({ active: false, event: 'c' });
    expect((await server.playBook(sessionID, BOOK.pays20)).body.round.event).toBeNull();
    expect((await server.roundOf(sessionID)).event).toBeNull();
  });

  it('beyond 1000 in a round is refused, also when many arrive at once', async () => {
    const sessionID = await sessionInRound(server);
    await server.db.$executeRaw`
      INSERT INTO round_events (round_id, seq, event)
      SELECT id, seq, 'earlier' FROM rounds, generate_series(1, 995) seq WHERE id = (SELECT max(id) FROM rounds)`;
    const late = Array.from({ length: 9 }, (_, index) => server.record(sessionID, `late-${index}`));
    expect((await Promise.all(late)).map(({ status }) => status).sort()).toEqual([
      ...Array(5).fill(200),
      ...Array(4).fill(400),
    ]);
    const more = { path: '/bet/event', body: { sessionID, event: 'one more' } };
    await expectRefused(server, more, 'ERR_VAL', '1000 events');
    expect((await snapshot(server, sessionID)).events).toHaveLength(1000);
    expect((await server.endRound(sessionID)).status).toBe(200);
  });

  it('that makes the text of a round more than 1 MiB is refused, and a shorter one is not', async () => {
    const sessionID = await sessionInRound(server);
    // Letters of two bytes: the round then has 8,192 bytes left, and 200 after the event below.
    await server.db.$executeRaw`
      INSERT INTO round_events (round_id, seq, event)
      SELECT id, seq, repeat('é', 2 * 2048) FROM rounds, generate_series(1, 127) seq WHERE id = (SELECT max(id) FROM rounds)`;
    await server.record(sessionID, 'x'.repeat(7992));
    const more = { path: '/bet/event', body: { sessionID, event: 'é'.repeat(101) } };
    await expectRefused(server, more, 'ERR_VAL', '1 MiB');
    expect((await server.record(sessionID, 'é'.repeat(100))).status).toBe(200);
    await expectRefused(server, { ...more, body: { sessionID, event: 'x' } }, 'ERR_VAL', '1 MiB');
    expect((await server.endRound(sessionID)).status).toBe(200);
  });
});
