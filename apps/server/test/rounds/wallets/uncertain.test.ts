import type { ErrorCode, WalletErrorCode } from '@roundhouse/contract';
import { type Behaviour, OPENING_BALANCE } from '@roundhouse/wallet-check/fake-wallet';
import { describe, expect, it } from 'vitest';
import { BOOK } from '../../support/fixtureGame.ts';
import { playerOf, useSeamlessServer } from '../../support/seamlessServer.ts';
import { expectRefusal } from '../../support/snapshot.ts';
import { UNIT } from '../../support/testServer.ts';

// walletResult.test.ts and walletClient.test.ts in src test which responses are certain.

const server = useSeamlessServer();

const balanceOf = (sessionID: string) => server.wallet.balanceOf(playerOf(sessionID));

describe('a debit whose result is not certain', () => {
  // The wallet says that it does not have a debit, which is as certain.
  it.each<[string, Behaviour, resultCode: string]>([
    ['ERR_UE, nothing done', { kind: 'refuse', code: 'ERR_UE' }, 'ERR_BNF'],
    ['a time-out, all done', { kind: 'hang', done: true }, 'accepted'],
    ['a dropped connection, nothing done', { kind: 'cut', done: false }, 'ERR_BNF'],
    ['no code, all done', { kind: 'response', status: 500, text: '{"message":"oops"}', done: true }, 'accepted'],
  ])('is rolled back after %s, and the player may play on', async (_, behaviour, resultCode) => {
    const sessionID = await server.seamlessSession();
    server.wallet.next('/debit', behaviour);
    expectRefusal(await server.play(sessionID), 'ERR_GEN');
    await server.settled();
    expect(balanceOf(sessionID)).toBe(OPENING_BALANCE);
    const [debit] = server.wallet.callsTo('/debit');
    const context = { roundID: debit?.roundID, playerID: playerOf(sessionID), currency: 'USD', gameID: 'fixture' };
    const ids = { transactionID: expect.any(String), debitTransactionID: debit?.transactionID };
    const sent = { ...ids, ...context, reason: 'the result of the debit is uncertain' };
    expect(server.wallet.callsTo('/rollback')).toEqual([sent]);
    expect(server.wallet.outcomeOf(debit?.transactionID)).not.toBe('taken');
    const httpStatus = resultCode === 'accepted' ? 200 : 400;
    const [, rollback] = await server.transactionsOf(Number(debit?.roundID));
    expect(rollback).toMatchObject({ kind: 'rollback', state: 'accepted', resultCode, httpStatus });
    expect(await server.roundOf(sessionID)).toEqual({});
    expect((await server.play(sessionID)).status).toBe(200);
    expect(balanceOf(sessionID)).toBe(OPENING_BALANCE - UNIT);
  });

  it('may be played again with the same key, and is one bet in the end', async () => {
    const sessionID = await server.seamlessSession();
    server.wallet.next('/debit', { kind: 'cut', done: true });
    expectRefusal(await server.play(sessionID, {}, 'a key'), 'ERR_GEN');
    const again = await server.play(sessionID, {}, 'a key');
    expect(again.status).toBe(200);
    expect((await server.play(sessionID, {}, 'a key')).body.round).toEqual(again.body.round);
    await server.settled();
    expect(balanceOf(sessionID)).toBe(OPENING_BALANCE - UNIT);
  });

  it('is rolled back with the same id until the result is certain', async () => {
    const sessionID = await server.seamlessSession();
    server.wallet.next('/debit', { kind: 'cut', done: true });
    server.wallet.next('/rollback', { kind: 'refuse', code: 'ERR_GE' });
    server.wallet.next('/rollback', { kind: 'cut', done: true });
    expectRefusal(await server.play(sessionID), 'ERR_GEN');
    await server.settled();
    const rollbacks = server.wallet.callsTo('/rollback').map(({ transactionID }) => transactionID);
    expect(rollbacks).toEqual(Array(3).fill(rollbacks[0]));
    expect(balanceOf(sessionID)).toBe(OPENING_BALANCE);
  });

  it('takes nothing from what the player may bet today', async () => {
    server.wallet.say({ limits: { dailyWager: UNIT } });
    const sessionID = await server.seamlessSession();
    server.wallet.say({});
    server.wallet.next('/debit', { kind: 'cut', done: true });
    expectRefusal(await server.play(sessionID), 'ERR_GEN');
    expect((await server.play(sessionID)).status).toBe(200);
    await server.settled();
  });
});

describe('a balance that is not micros', () => {
  const odd = (done: boolean): Behaviour => ({ kind: 'response', status: 200, text: '{"balance":0.5}', done });

  it('changes nothing of a bet and a payout, and is read by a separate request', async () => {
    const sessionID = await server.seamlessSession();
    server.wallet.next('/debit', odd(true));
    const { status, body } = await server.playBook(sessionID, BOOK.pays150);
    expect([status, body.balance.amount]).toEqual([200, OPENING_BALANCE - UNIT]);
    server.wallet.next('/credit', odd(true));
    const ended = await server.endRound(sessionID);
    expect([ended.status, ended.body.balance.amount]).toEqual([200, OPENING_BALANCE + 0.5 * UNIT]);
    expect(await server.transactionsOf(body.round.betID)).toMatchObject([
      { kind: 'debit', state: 'accepted', attempts: 1 },
      { kind: 'credit', state: 'accepted', attempts: 1 },
    ]);
  });

  const refuse = (code: WalletErrorCode) => ({ kind: 'refuse', code }) as const;
  it.each([
    ['cannot be read', odd(false)],
    ['is refused because the session has ended', refuse('ERR_IS')],
    ['is refused for maintenance', refuse('ERR_MAINTENANCE')],
  ])('that %s then leaves the round as it is, and says so', async (_words, reading) => {
    const sessionID = await server.seamlessSession();
    server.wallet.next('/debit', odd(true));
    server.wallet.next('/balance', reading);
    const refused = await server.playBook(sessionID, BOOK.pays150);
    expectRefusal(refused, 'ERR_GEN', 'the bet is taken; the balance cannot be read now');
    expect(await server.roundOf(sessionID)).toMatchObject({ active: true, payout: 1.5 * UNIT });
    server.wallet.next('/credit', odd(true));
    server.wallet.next('/balance', reading);
    const message = 'the round is completed; the balance cannot be read now';
    expectRefusal(await server.endRound(sessionID), 'ERR_GEN', message);
    expect((await server.endRound(sessionID)).body.balance.amount).toBe(OPENING_BALANCE + 0.5 * UNIT);
    expect(server.wallet.callsTo('/rollback')).toEqual([]);
  });

  it.each([
    ['authenticate', '/authenticate', 'no readable response to who the player is; no money moved'],
    ['balance', '/balance', 'no readable balance; reading it moves no money'],
  ] as const)('has words of its own for %s', async (name, path, words) => {
    const sessionID = await server.seamlessSession();
    server.wallet.next(path, odd(false));
    expectRefusal(await server[name](sessionID), 'ERR_GEN', words);
  });
});

describe('a debit that is refused for certain', () => {
  const AS_THEY_ARE = ['ERR_IPB', 'ERR_IS', 'ERR_ATE', 'ERR_GLE', 'ERR_LOC', 'ERR_MAINTENANCE'] as const;
  const OURS = ['ERR_VAL', 'ERR_DUP', 'ERR_BNF', 'ERR_GE'] as const;
  it.each<[WalletErrorCode, ErrorCode]>([
    ...AS_THEY_ARE.map((code): [WalletErrorCode, ErrorCode] => [code, code]),
    ...OURS.map((code): [WalletErrorCode, ErrorCode] => [code, 'ERR_GEN']),
  ])('with %s is %s, leaves no round and no rollback', async (code, error) => {
    const sessionID = await server.seamlessSession();
    server.wallet.next('/debit', { kind: 'refuse', code });
    expectRefusal(await server.play(sessionID), error);
    expect(await server.db.walletTransaction.count({ where: { state: 'pending' } })).toBe(0);
    expect(server.wallet.callsTo('/rollback')).toEqual([]);
    expect(await server.roundOf(sessionID)).toEqual({});
    expect((await server.play(sessionID)).status).toBe(200);
  });
});

describe('a credit that is not accepted', () => {
  it.each<[string, Behaviour, error: string]>([
    ['a lost response', { kind: 'cut', done: true }, 'ERR_GEN'],
    ['a request that was lost', { kind: 'cut', done: false }, 'ERR_GEN'],
    ['ERR_GE', { kind: 'refuse', code: 'ERR_GE' }, 'ERR_GEN'],
    // A rollback would end here.
    ['ERR_BNF', { kind: 'refuse', code: 'ERR_BNF' }, 'ERR_GEN'],
    ['ERR_MAINTENANCE', { kind: 'refuse', code: 'ERR_MAINTENANCE' }, 'ERR_MAINTENANCE'],
  ])('is sent again by end-round after %s, and the round stays until then', async (_, behaviour, error) => {
    const sessionID = await server.seamlessSession();
    await server.playBook(sessionID, BOOK.pays150);
    server.wallet.next('/credit', behaviour);
    const message = expect.stringContaining('the payout is not confirmed yet; the round stays active');
    expect(await server.endRound(sessionID)).toMatchObject({ status: 500, body: { error, message } });
    expect(await server.roundOf(sessionID)).toMatchObject({ payout: 1.5 * UNIT });
    const balance = { amount: OPENING_BALANCE + 0.5 * UNIT, currency: 'USD' };
    expect((await server.endRound(sessionID)).body).toEqual({ balance });
    const ids = server.wallet.callsTo('/credit').map(({ transactionID }) => transactionID);
    expect(new Set(ids).size).toBe(1);
    expect(balanceOf(sessionID)).toBe(balance.amount);
  });

  it('leaves the round active, and is sent again without the player, whose session may be over', async () => {
    const sessionID = await server.seamlessSession();
    await server.playBook(sessionID, BOOK.pays150);
    server.wallet.next('/credit', { kind: 'refuse', code: 'ERR_GE' }, 1000);
    expectRefusal(await server.endRound(sessionID), 'ERR_GEN');
    expect((await server.roundOf(sessionID)).active).toBe(true);
    expectRefusal(await server.play(sessionID), 'ERR_VAL');
    await server.db.$executeRaw`UPDATE sessions SET state = 'revoked'`;
    server.wallet.forget();
    await server.settled();
    expect(balanceOf(sessionID)).toBe(OPENING_BALANCE + 0.5 * UNIT);
  });

  it('is parked for a person after 72 hours, and paid when the player ends the round again', async () => {
    const sessionID = await server.seamlessSession();
    const { betID } = (await server.playBook(sessionID, BOOK.pays150)).body.round;
    server.wallet.next('/credit', { kind: 'refuse', code: 'ERR_GE' }, 1000);
    await server.endRound(sessionID);
    const [row] = await server.db.$queryRaw<object[]>`
      UPDATE wallet_transactions w SET retry_until = now() FROM wallet_transactions was
      WHERE w.round_id = ${betID} AND w.kind = 'credit' AND was.transaction_id = w.transaction_id
      RETURNING was.retry_until - was.created_at = interval '72 hours' AS "isTriedLong", was.due_at > was.created_at AS "isDueLater"`;
    expect(row).toEqual({ isTriedLong: true, isDueLater: true });
    expectRefusal(await server.endRound(sessionID), 'ERR_GEN');
    const credit = async () => (await server.transactionsOf(betID)).find(({ kind }) => kind === 'credit');
    expect(await credit()).toMatchObject({ state: 'parked', resultCode: 'ERR_GE' });
    server.wallet.forget();
    expect((await server.endRound(sessionID)).status).toBe(200);
    expect(await credit()).toMatchObject({ state: 'accepted' });
  });

  it('is parked at the first failure after the time of parkAfterMs', async () => {
    const node = await server.startNode({ recovery: { parkAfterMs: 0 } });
    const sessionID = await server.seamlessSession();
    const { betID } = (await server.playBook(sessionID, BOOK.pays150)).body.round;
    server.wallet.next('/credit', { kind: 'refuse', code: 'ERR_GE' });
    expectRefusal(await node.endRound(sessionID), 'ERR_GEN');
    const transactions = await server.transactionsOf(betID);
    expect(transactions.find(({ kind }) => kind === 'credit')).toMatchObject({ state: 'parked' });
    expect((await node.endRound(sessionID)).status).toBe(200);
    await node.close();
  });
});

it.each([
  [0, 1],
  [1.5, 3],
  [4, 8],
  [20, 48],
  [240, 528],
  [1_200, 2_928],
  [2_928, 6_528],
  [90_000, 93_600],
])('a wallet transaction that fails %d s after its creation is retried at %d s', async (failedAt, retriedAt) => {
  const [row] = await server.db.$queryRaw<[{ at: number }]>`
    SELECT extract(epoch FROM next_attempt_at(to_timestamp(0), to_timestamp(${failedAt}::float8)))::float8 AS at`;
  expect(row.at).toBe(retriedAt);
});
