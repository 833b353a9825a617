import { MAX_MICROS } from '@roundhouse/contract';
import { describe, expect, it } from 'vitest';
import { BOOK } from '../../support/fixtureGame.ts';
import { expectRefused, snapshot } from '../../support/snapshot.ts';
import { OPENING, sessionInRound, UNIT, useTestServer } from '../../support/testServer.ts';

const server = useTestServer();
const PATH = '/wallet/end-round';

describe('end-round', () => {
  it.each([
    { book: BOOK.pays0, payout: 0, transfers: 0 },
    { book: BOOK.pays150, payout: 1_500_000, transfers: 1 },
  ])('credits $payout for book $book, completes the round, responds with the balance', async (round) => {
    const { book, payout, transfers } = round;
    const sessionID = await server.liveSession();
    await server.playBook(sessionID, book);
    const before = await snapshot(server, sessionID);
    const balance = { amount: OPENING - UNIT + payout, currency: 'USD' };
    expect((await server.endRound(sessionID)).body).toEqual({ balance });
    const { rounds, counts } = await snapshot(server, sessionID);
    expect(rounds).toMatchObject([{ ended_at: expect.any(String), payout_micros: payout }]);
    expect(counts).toEqual({ ...before.counts, transfers: before.counts.transfers + transfers });
  });

  it('is idempotent: with a completed round it responds with the balance, and pays nothing', async () => {
    const sessionID = await sessionInRound(server);
    const first = await server.endRound(sessionID);
    const { counts, rounds, accounts } = await snapshot(server, sessionID);
    for (const again of [await server.endRound(sessionID), await server.endRound(sessionID)])
      expect([again.status, again.text]).toEqual([200, first.text]);
    expect(await snapshot(server, sessionID)).toMatchObject({ counts, rounds, accounts });
  });

  it('of a player who never played is refused', async () => {
    const sessionID = await server.liveSession();
    await expectRefused(server, { path: PATH, body: { sessionID } }, 'ERR_VAL', 'no round to end');
  });

  it('whose payout the balance cannot hold is ERR_GEN: the round stays active, and is paid when there is room', async () => {
    const sessionID = await server.liveSession({ token: 'richest', balance: MAX_MICROS - 5 * UNIT });
    await server.playBook(sessionID, BOOK.pays100000);
    await expectRefused(server, { path: PATH, body: { sessionID } }, 'ERR_GEN');
    expect((await server.roundOf(sessionID)).active).toBe(true);

    await server.newSession({ token: 'richest', setBalance: OPENING });
    expect((await server.endRound(sessionID)).body.balance.amount).toBe(OPENING + 1000 * UNIT);
  });
});
