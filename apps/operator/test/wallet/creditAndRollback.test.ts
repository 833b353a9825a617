import { randomUUID } from 'node:crypto';
import { MAX_MICROS } from '@roundhouse/contract';
import { beforeEach, expect, test } from 'vitest';
import { expectRefused, journalOf, OPENING_MICROS, useOperator } from '../support/testOperator.ts';
import type { PlayerCalls } from '../support/walletClient.ts';

const operator = useOperator();
const BET = 2_000_000;
let player: PlayerCalls;
beforeEach(async () => {
  player = await operator.newPlayer();
});

async function setBalance(amount: number): Promise<void> {
  const { playerID, currency } = player;
  await operator.api('POST', `/players/${playerID}/balance`, { currency, amount });
}

async function betOf(amount = BET) {
  const bet = player.newBet();
  expect((await player.debit(bet, amount)).status).toBe(200);
  return bet;
}

const FULL = { status: 200, body: { balance: OPENING_MICROS } };

test('a credit pays, and closes a losing round with nothing', async () => {
  expect(await player.credit(await betOf(), BET)).toMatchObject(FULL);
  expect(await player.credit(await betOf(), 0)).toMatchObject({ body: { balance: OPENING_MICROS - BET } });
  expect((await journalOf(operator, player)).map(({ kind, amount }) => [kind, amount])).toEqual([
    ['deposit', OPENING_MICROS],
    ['debit', -BET],
    ['credit', BET],
    ['debit', -BET],
    ['credit', 0],
  ]);
});

test('a rollback gives back what its debit took', async () => {
  const bet = await betOf();
  expect(await player.rollback(bet)).toMatchObject(FULL);
  // A second one under another id finds it done.
  expect(await player.rollback(bet)).toMatchObject(FULL);
  expect((await journalOf(operator, player)).map(({ kind, amount }) => [kind, amount])).toEqual([
    ['deposit', OPENING_MICROS],
    ['debit', -BET],
    ['rollback', BET],
    ['rollback', 0],
  ]);
});

test('neither needs a live session', async () => {
  const [paid, givenBack] = [await betOf(), await betOf()];
  await operator.database.query('DELETE FROM sessions');
  expect((await player.credit(paid, BET)).status).toBe(200);
  expect(await player.rollback(givenBack)).toMatchObject(FULL);
});

test('a credit whose debit nobody knows is ERR_BNF', async () => {
  expectRefused(await player.credit(player.newBet(), 1), 'ERR_BNF');
  const bet = player.newBet();
  await player.rollback(bet);
  expectRefused(await player.credit(bet, 1), 'ERR_BNF');
});

test('what was rolled back is not paid, what was paid is not rolled back', async () => {
  const [givenBack, paid, paidInPart] = [await betOf(), await betOf(), await betOf()];
  await player.rollback(givenBack);
  expectRefused(await player.credit(givenBack, 1), 'ERR_VAL');
  await player.credit(paid, 0);
  expectRefused(await player.rollback(paid), 'ERR_VAL');
  await player.credit(paidInPart, 1, { roundClosed: false });
  expectRefused(await player.rollback(paidInPart), 'ERR_VAL');
  expect(await player.balance()).toBe(OPENING_MICROS - BET - BET + 1);
});

test('a closed round is not paid again, an open one is', async () => {
  const bet = await betOf();
  expect((await player.credit(bet, 1, { roundClosed: false })).status).toBe(200);
  expect((await player.credit(bet, 2, { roundClosed: false })).status).toBe(200);
  expect((await player.credit(bet, BET - 3)).status).toBe(200);
  expectRefused(await player.credit(bet, 1), 'ERR_VAL');
  expectRefused(await player.credit(bet, 0), 'ERR_VAL');
  expect(await player.balance()).toBe(OPENING_MICROS);
});

test('an answer that speaks of another round, player, game or currency is ERR_VAL', async () => {
  const other = await operator.newPlayer();
  await operator.newPlayer({ playerID: player.playerID, currency: 'EUR' });
  const bet = await betOf();
  for (const changes of [
    { roundID: 'another' },
    { playerID: other.playerID },
    { playerID: 'nobody' },
    { gameID: 'another' },
    { currency: 'EUR' },
  ]) {
    expectRefused(await player.credit(bet, 1, changes), 'ERR_VAL');
    expectRefused(await player.rollback(bet, changes), 'ERR_VAL');
  }
  expect(await player.rollback(bet)).toMatchObject(FULL);
});

test('a credit does not answer a credit', async () => {
  const bet = await betOf();
  const transactionID = randomUUID();
  await player.credit(bet, 1, { transactionID, roundClosed: false });
  expectRefused(await player.credit(bet, 1, { debitTransactionID: transactionID }), 'ERR_BNF');
  expect((await player.credit(bet, 0)).status).toBe(200);
});

test('a payout that the balance cannot hold is ERR_GE, and may come again', async () => {
  const bet = await betOf();
  await setBalance(MAX_MICROS - 5);
  const transactionID = randomUUID();
  expectRefused(await player.credit(bet, 6, { transactionID }), 'ERR_GE', 500);
  expectRefused(await player.rollback(bet), 'ERR_GE', 500);
  await setBalance(MAX_MICROS - 6);
  expect(await player.credit(bet, 6, { transactionID })).toMatchObject({ status: 200, body: { balance: MAX_MICROS } });
});

test('a rollback that overtakes its debit is ERR_BNF, and the late debit is refused', async () => {
  const bet = player.newBet();
  const transactionID = randomUUID();
  for (let time = 0; time < 2; time += 1) {
    expectRefused(await player.rollback(bet, { transactionID }), 'ERR_BNF');
    expectRefused(await player.rollback(bet), 'ERR_BNF');
    expectRefused(await player.debit(bet), 'ERR_VAL');
  }
  expect(await player.balance()).toBe(OPENING_MICROS);
  expect((await journalOf(operator, player)).map(({ kind, amount }) => [kind, amount])).toEqual([
    ['deposit', OPENING_MICROS],
    ['rollback', 0],
    ['rollback', 0],
    ['rollback', 0],
  ]);
});

test('also when the wallet does not know the player yet', async () => {
  const bet = player.newBet();
  const transactionID = randomUUID();
  for (let time = 0; time < 2; time += 1) {
    expectRefused(await player.rollback(bet, { transactionID, playerID: 'comes-later' }), 'ERR_BNF');
  }
  expectRefused(await player.debit(bet), 'ERR_VAL');
});
