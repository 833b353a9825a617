import { describe, expect, it } from 'vitest';
import { BOOK } from '../../support/fixtureGame.ts';
import { expectNothingChanged, expectRefusal } from '../../support/snapshot.ts';
import { UNIT, useTestServer } from '../../support/testServer.ts';
import { INVALID, kindsOf, refusalOf, useOpenRounds } from './operatorClient.ts';

const server = useTestServer();
const { client, houseRound, seamlessRound } = useOpenRounds(server);

describe('a round of the house wallet', () => {
  it('is void once, its debit is rolled back, and the player may play on', async () => {
    const { sessionID, betID } = await houseRound(BOOK.pays100000, { token: 'void' });
    const { status, body } = await client().voidRound(betID, { reason: 'the game was broken' });
    expect([status, body.state, body.payout]).toEqual([200, 'void', 1000 * UNIT]);
    expect(body.closedAt).not.toBeNull();
    expect(kindsOf(body.movements)).toEqual([`debit ${UNIT} accepted`, `rollback ${UNIT} accepted`]);
    expect((await server.post('/wallet/balance', { sessionID })).body.balance.amount).toBe(1000 * UNIT);
    await expectNothingChanged(server, async () => {
      const again = await client().voidRound(betID);
      expect([again.status, again.body]).toEqual([200, body]);
    });
    expect((await server.playBook(sessionID, BOOK.pays0)).status).toBe(200);
  });

  it('keeps its key: the play is not a new bet when it is repeated', async () => {
    const sessionID = await server.liveSession();
    const play = () => server.playBook(sessionID, BOOK.pays150, {}, 'once');
    await client().voidRound((await play()).body.round.betID);
    await expectNothingChanged(server, async () => expectRefusal(await play(), 'ERR_VAL', 'voided'));
  });

  it('that is settled cannot be void', async () => {
    const { sessionID, betID } = await houseRound();
    await server.post('/wallet/end-round', { sessionID });
    await expectNothingChanged(server, async () => expect(refusalOf(await client().voidRound(betID))).toEqual(INVALID));
  });

  it('that is voided and ended at once is either void or settled', async () => {
    for (let turn = 0; turn < 5; turn += 1) {
      const { sessionID, betID } = await houseRound(BOOK.pays150, { token: 'race' });
      const ending = server.post('/wallet/end-round', { sessionID });
      const [voided, ended] = await Promise.all([client().voidRound(betID), ending]);
      expect([200, 400]).toContain(voided.status);
      const { body } = await client().round(betID);
      expect(body.state).toBe(voided.status === 200 ? 'void' : 'settled');
      expect(body.movements).toHaveLength(2);
      // Without an open round, end-round is a success for a player who has played.
      expect([200, 400]).toContain(ended.status);
    }
  });

  it('is not void by an invalid body, or one without a good reason', async () => {
    const { betID } = await houseRound(BOOK.pays150, { token: 'reasons' });
    await expectNothingChanged(server, async () => {
      for (const body of ['', ...['', 'x'.repeat(201), 'a\u0000b', '\ud83d', 1].map((reason) => ({ reason }))])
        expect(refusalOf(await client().voidRound(betID, body))).toEqual(INVALID);
    });
  });
});

describe('a round of a seamless wallet', () => {
  it('is void, and its rollback is stored for recovery to send', async () => {
    const { client, sessionID, wallet, betID } = await seamlessRound();
    const { status, body } = await client.voidRound(betID, { reason: 'complaint 漢' });
    expect([status, body.state]).toEqual([200, 'void']);
    expect(kindsOf(body.movements)).toEqual([`debit ${UNIT} accepted`, `rollback ${UNIT} pending`]);
    const where = { roundId: betID, kind: 'rollback' } as const;
    const rollback = await server.db.walletTransaction.findFirstOrThrow({ where });
    expect(rollback.reason).toBe('complaint 漢');
    expect(rollback.dueAt.getTime()).toBeLessThanOrEqual(Date.now());
    expect(wallet.balance()).toBe(999 * UNIT);
    await expectNothingChanged(server, async () => {
      expect((await client.voidRound(betID, { reason: 'again' })).body).toEqual(body);
    });
    expect((await server.playBook(sessionID, BOOK.pays0)).status).toBe(200);
  });

  it('cannot be void when it is settled, or while a debit or credit is pending; then it is open in the list', async () => {
    const { client, sessionID, betID } = await seamlessRound();
    const voidIn = async (walletState: 'debit_pending' | 'credit_pending' | 'debited') => {
      await server.db.round.update({ where: { id: betID }, data: { walletState } });
      return refusalOf(await client.voidRound(betID));
    };
    const listed = async (state: string) =>
      (await client.rounds({ state })).body.rounds.map((round: any) => round.betID);
    await expectNothingChanged(server, async () => {
      expect(await voidIn('credit_pending')).toEqual(INVALID);
      expect(await voidIn('debit_pending')).toEqual([500, 'ERR_GEN']);
      expect([await listed('open'), await listed('settled')]).toEqual([[betID], []]);
      await server.db.round.update({ where: { id: betID }, data: { walletState: 'debited' } });
    });
    await server.post('/wallet/end-round', { sessionID });
    await expectNothingChanged(server, async () => expect(refusalOf(await client.voidRound(betID))).toEqual(INVALID));
  });
});
