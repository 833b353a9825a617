import { describe, expect, test } from 'vitest';
import { UNIT, useCheckedServer } from '../support/checkedServer.ts';
import { BOOK } from '../support/fixtureGame.ts';
import { kindsOf, useOpenRounds } from './openRounds.ts';

const server = useCheckedServer();
const { client, houseRound, seamlessRound, expectUnchanged } = useOpenRounds(server);

describe('a bet of the house wallet that is given back', () => {
  test('void: the bet is given back once, the player may play on', async () => {
    const { sessionID, betID } = await houseRound(BOOK.pays100000, { token: 'void' });
    const { status, body } = await client().giveBack(betID, { reason: 'the game was broken' });
    expect([status, body.state, body.payout]).toEqual([200, 'void', 1000 * UNIT]);
    expect(body.closedAt).not.toBeNull();
    expect(kindsOf(body.movements)).toEqual([
      ['debit', UNIT, 'accepted'],
      ['rollback', UNIT, 'accepted'],
    ]);
    expect((await server.post('/wallet/balance', { sessionID })).body.balance.amount).toBe(1000 * UNIT);
    await expectUnchanged(betID, async () => {
      const again = await client().giveBack(betID);
      expect([again.status, again.body]).toEqual([200, body]);
    });
    expect((await server.playBook(sessionID, BOOK.pays0)).status).toBe(200);
  });

  test('settled: ERR_VAL, and nothing moves', async () => {
    const { sessionID, betID } = await houseRound();
    await server.post('/wallet/end-round', { sessionID });
    await expectUnchanged(betID, async () => {
      expect(await client().giveBack(betID)).toMatchObject({ status: 400, body: { error: 'ERR_VAL' } });
    });
  });

  test('void and end-round at once: one of them has the round', async () => {
    for (let turn = 0; turn < 5; turn += 1) {
      const { sessionID, betID } = await houseRound(BOOK.pays150, { token: 'race' });
      const [voided, ended] = await Promise.all([
        client().giveBack(betID),
        server.post('/wallet/end-round', { sessionID }),
      ]);
      expect([200, 400]).toContain(voided.status);
      const { body } = await client().round(betID);
      expect(body.state).toBe(voided.status === 200 ? 'void' : 'settled');
      expect(body.movements).toHaveLength(2);
      // With nothing left to end, an end of a player who has played is a success as ever.
      expect([200, 400]).toContain(ended.status);
    }
  });

  test.each([
    { reason: '' },
    { reason: 'x'.repeat(201) },
    { reason: 'a\u0000b' },
    { reason: '\ud83d' },
    { reason: 1 },
    '',
  ])('to give back with the body %j is ERR_VAL', async (body) => {
    const { betID } = await houseRound(BOOK.pays150, { token: `reason ${JSON.stringify(body).slice(0, 20)}` });
    await expectUnchanged(betID, async () => {
      expect(await client().giveBack(betID, body)).toMatchObject({ status: 400, body: { error: 'ERR_VAL' } });
    });
  });
});

describe('a bet of a wallet of its own that is given back', () => {
  test('void: a rollback is written for recovery to send', async () => {
    const { client, sessionID, wallet, betID } = await seamlessRound();
    const { status, body } = await client.giveBack(betID, { reason: 'complaint 漢' });
    expect([status, body.state]).toEqual([200, 'void']);
    expect(kindsOf(body.movements)).toEqual([
      ['debit', UNIT, 'accepted'],
      ['rollback', UNIT, 'pending'],
    ]);
    const rollback = await server.db.walletTransaction.findFirstOrThrow({
      where: { roundId: betID, kind: 'rollback' },
    });
    expect(rollback.reason).toBe('complaint 漢');
    expect(rollback.dueAt.getTime()).toBeLessThanOrEqual(Date.now());
    expect(wallet.balance()).toBe(999 * UNIT);
    await expectUnchanged(betID, async () => {
      expect((await client.giveBack(betID, { reason: 'again' })).body).toEqual(body);
    });
    expect((await server.playBook(sessionID, BOOK.pays0)).status).toBe(200);
  });

  test('settled: ERR_VAL; a payout under way: ERR_VAL; a debit without its answer: ERR_GEN, and open in the list', async () => {
    const { client, sessionID, betID } = await seamlessRound();
    const giveBackIn = async (walletState: 'debit_pending' | 'credit_pending' | 'debited') => {
      await server.db.round.update({ where: { id: betID }, data: { walletState } });
      const answer = await client.giveBack(betID);
      return [answer.status, answer.body.error];
    };
    await expectUnchanged(betID, async () => {
      expect(await giveBackIn('credit_pending')).toEqual([400, 'ERR_VAL']);
      expect(await giveBackIn('debit_pending')).toEqual([500, 'ERR_GEN']);
      expect((await client.rounds({ state: 'open' })).body.rounds.map((round: any) => round.betID)).toEqual([betID]);
      expect((await client.rounds({ state: 'settled' })).body.rounds).toEqual([]);
      await server.db.round.update({ where: { id: betID }, data: { walletState: 'debited' } });
    });
    await server.post('/wallet/end-round', { sessionID });
    await expectUnchanged(betID, async () => {
      expect(await client.giveBack(betID)).toMatchObject({ status: 400, body: { error: 'ERR_VAL' } });
    });
  });
});
