import { randomUUID } from 'node:crypto';
import { MAX_MICROS } from '@roundhouse/contract';
import { expect, it } from 'vitest';
import { OPENING_MICROS, useOperator, usePlayer } from '../support/testOperator.ts';
import { expectResult } from '../support/walletClient.ts';

const operator = useOperator();
const player = usePlayer(operator);
const BET = 2_000_000;

it('a credit pays, and closes a lost round with 0', async () => {
  expectResult(await player.credit(await player.placeBet(BET), BET), OPENING_MICROS);
  expectResult(await player.credit(await player.placeBet(BET), 0), OPENING_MICROS - BET);
  expect(await player.entries()).toEqual([`debit ${-BET}`, `credit ${BET}`, `debit ${-BET}`, 'credit 0']);
});

it('a rollback returns what its debit took, once', async () => {
  const bet = await player.placeBet(BET);
  expectResult(await player.rollback(bet), OPENING_MICROS);
  expectResult(await player.rollback(bet), OPENING_MICROS);
  expect(await player.entries()).toEqual([`debit ${-BET}`, `rollback ${BET}`, 'rollback 0']);
});

it('neither needs a live session', async () => {
  const [paid, rolledBack] = [await player.placeBet(BET), await player.placeBet(BET)];
  await operator.database.query('DELETE FROM sessions');
  expectResult(await player.credit(paid, BET), OPENING_MICROS - BET);
  expectResult(await player.rollback(rolledBack), OPENING_MICROS);
});

it('a credit whose debit is unknown is ERR_BNF', async () => {
  const bet = player.newBet();
  expectResult(await player.credit(bet, 1), 'ERR_BNF');
  await player.rollback(bet);
  expectResult(await player.credit(bet, 1), 'ERR_BNF');
});

it('a bet is paid or rolled back, never both', async () => {
  const rolledBack = await player.placeBet(BET);
  await player.rollback(rolledBack);
  expectResult(await player.credit(rolledBack, 1), 'ERR_VAL');
  const paid = await player.placeBet(BET);
  await player.credit(paid, 0);
  expectResult(await player.rollback(paid), 'ERR_VAL');
  const paidInPart = await player.placeBet(BET);
  await player.credit(paidInPart, 1, { roundClosed: false });
  expectResult(await player.rollback(paidInPart), 'ERR_VAL');
  expect(await player.balance()).toBe(OPENING_MICROS - BET - BET + 1);
});

it('an open round is paid again, a closed one is not', async () => {
  const bet = await player.placeBet(BET);
  expectResult(await player.credit(bet, 1, { roundClosed: false }), OPENING_MICROS - BET + 1);
  expectResult(await player.credit(bet, 2, { roundClosed: false }), OPENING_MICROS - BET + 3);
  expectResult(await player.credit(bet, BET - 3), OPENING_MICROS);
  expectResult(await player.credit(bet, 1), 'ERR_VAL');
  expectResult(await player.credit(bet, 0), 'ERR_VAL');
  expect(await player.balance()).toBe(OPENING_MICROS);
});

it('another round, player, game or currency than that of the debit is ERR_VAL', async () => {
  const { playerID } = await operator.newPlayer();
  await operator.newPlayer({ playerID: player.playerID, currency: 'EUR' });
  const bet = await player.placeBet(BET);
  const others = [{ roundID: 'x' }, { playerID }, { playerID: 'nobody' }, { gameID: 'x' }, { currency: 'EUR' }];
  for (const changes of others) {
    expectResult(await player.credit(bet, 1, changes), 'ERR_VAL');
    expectResult(await player.rollback(bet, changes), 'ERR_VAL');
  }
  expectResult(await player.rollback(bet), OPENING_MICROS);
});

it('the id of a credit is not a debit', async () => {
  const bet = await player.placeBet(BET);
  const transactionID = randomUUID();
  await player.credit(bet, 1, { transactionID, roundClosed: false });
  expectResult(await player.credit(bet, 1, { debitTransactionID: transactionID }), 'ERR_BNF');
  expectResult(await player.credit(bet, 0), OPENING_MICROS - BET + 1);
});

it('an amount that the balance cannot hold is ERR_GE, and may be sent again', async () => {
  const bet = await player.placeBet(BET);
  await player.setBalance(MAX_MICROS - 5);
  const transactionID = randomUUID();
  expectResult(await player.credit(bet, 6, { transactionID }), 'ERR_GE');
  expectResult(await player.rollback(bet), 'ERR_GE');
  await player.setBalance(MAX_MICROS - 6);
  expectResult(await player.credit(bet, 6, { transactionID }), MAX_MICROS);
});

it('a rollback before its debit is ERR_BNF, and the late debit is refused', async () => {
  const bet = player.newBet();
  const transactionID = randomUUID();
  for (let time = 0; time < 2; time += 1) {
    expectResult(await player.rollback(bet, { transactionID }), 'ERR_BNF');
    expectResult(await player.rollback(bet), 'ERR_BNF');
    expectResult(await player.debit(bet), 'ERR_VAL');
  }
  expect(await player.balance()).toBe(OPENING_MICROS);
  expect(await player.entries()).toEqual(['rollback 0', 'rollback 0', 'rollback 0']);
});

it('also when the wallet does not know the player yet', async () => {
  const bet = player.newBet();
  const changes = { transactionID: randomUUID(), playerID: 'comes-later' };
  for (let time = 0; time < 2; time += 1) expectResult(await player.rollback(bet, changes), 'ERR_BNF');
  expectResult(await player.debit(bet), 'ERR_VAL');
});
