import { randomUUID } from 'node:crypto';
import { beforeAll, expect, test } from 'vitest';
import { expectRefused, journalOf, OPENING_MICROS, useOperator } from '../support/testOperator.ts';
import type { Answer, PlayerCalls } from '../support/walletClient.ts';

const operator = useOperator();
let player: PlayerCalls;
let other: PlayerCalls;
beforeAll(async () => {
  player = await operator.newPlayer();
  other = await operator.newPlayer();
  await operator.newPlayer({ playerID: player.playerID, currency: 'EUR' });
});

const OTHER_FACTS = () => [
  { roundID: 'another' },
  { playerID: other.playerID },
  { playerID: 'nobody' },
  { currency: 'EUR' },
  { gameID: 'another' },
];

/** Repeats a call that has succeeded, among changes of the balance, and with other content. */
async function expectIdempotent(call: (changes?: object) => Promise<Answer>, otherContent: object[]): Promise<void> {
  const before = (await journalOf(operator, player)).length;
  expect((await call()).status).toBe(200);
  await player.debit(player.newBet(), 7);
  const today = await player.balance();
  expect(await call()).toMatchObject({ status: 200, body: { balance: today } });
  for (const changes of otherContent) expectRefused(await call(changes), 'ERR_DUP');
  expect(await call()).toMatchObject({ status: 200, body: { balance: today } });
  expect(await journalOf(operator, player)).toHaveLength(before + 2);
}

test('a debit', async () => {
  const bet = player.newBet();
  const content = [...OTHER_FACTS(), { amount: 5 }, { mode: 'BONUS' }];
  await expectIdempotent((changes) => player.debit(bet, 1_000_000, changes), content);
});

test('a debit whose session has ended meanwhile', async () => {
  const passing = await operator.newPlayer();
  const bet = passing.newBet();
  await passing.debit(bet, 1);
  expect(await passing.debit(bet, 1, { sessionID: 'lobby:gone' })).toMatchObject({
    status: 200,
    body: { balance: OPENING_MICROS - 1 },
  });
  expectRefused(await passing.debit(bet, 2, { sessionID: 'lobby:gone' }), 'ERR_DUP');
});

test('a debit that was rolled back since: it was done, and nothing is taken anew', async () => {
  const bet = player.newBet();
  await player.debit(bet, 1_000_000);
  await player.rollback(bet);
  const today = await player.balance();
  expect(await player.debit(bet, 1_000_000)).toMatchObject({ status: 200, body: { balance: today } });
});

test('a credit', async () => {
  const bet = player.newBet();
  const another = player.newBet();
  await player.debit(bet, 1_000_000);
  await player.debit(another, 1_000_000);
  const transactionID = randomUUID();
  const content = [...OTHER_FACTS(), { amount: 5 }, { roundClosed: false }, { debitTransactionID: another.debitID }];
  await expectIdempotent((changes) => player.credit(bet, 3_000_000, { transactionID, ...changes }), content);
});

test('a credit of nothing', async () => {
  const bet = player.newBet();
  await player.debit(bet, 1_000_000);
  const transactionID = randomUUID();
  await expectIdempotent((changes) => player.credit(bet, 0, { transactionID, ...changes }), [{ amount: 1 }]);
});

test('a rollback: its reason is no content', async () => {
  const bet = player.newBet();
  const another = player.newBet();
  await player.debit(bet, 1_000_000);
  await player.debit(another, 1_000_000);
  const transactionID = randomUUID();
  const content = [...OTHER_FACTS(), { debitTransactionID: another.debitID }];
  await expectIdempotent((changes) => player.rollback(bet, { transactionID, ...changes }), content);
  expect((await player.rollback(bet, { transactionID, reason: 'in other words' })).status).toBe(200);
});

test('a rollback that found nothing', async () => {
  const transactionID = randomUUID();
  const bet = player.newBet();
  expectRefused(await player.rollback(bet, { transactionID }), 'ERR_BNF');
  expectRefused(await player.rollback(bet, { transactionID, roundID: 'another' }), 'ERR_DUP');
  expectRefused(await player.rollback(player.newBet(), { transactionID }), 'ERR_DUP');
  expectRefused(await player.rollback(bet, { transactionID }), 'ERR_BNF');
});

test('an id of another kind', async () => {
  const bet = player.newBet();
  await player.debit(bet, 1_000_000);
  expectRefused(await player.credit(bet, 1, { transactionID: bet.debitID }), 'ERR_DUP');
  expectRefused(await player.rollback(bet, { transactionID: bet.debitID }), 'ERR_DUP');
  const creditID = randomUUID();
  await player.credit(bet, 1, { transactionID: creditID });
  expectRefused(await player.debit(player.newBet(), 1, { transactionID: creditID }), 'ERR_DUP');
});

test('in capital letters it is the same id', async () => {
  const bet = player.newBet();
  await player.debit(bet, 1_000_000);
  const today = await player.balance();
  expect(await player.debit(bet, 1_000_000, { transactionID: bet.debitID.toUpperCase() })).toMatchObject({
    status: 200,
    body: { balance: today },
  });
  const transactionID = randomUUID();
  expect((await player.credit(bet, 1, { transactionID })).status).toBe(200);
  const capitals = { transactionID: transactionID.toUpperCase(), debitTransactionID: bet.debitID.toUpperCase() };
  expect((await player.credit(bet, 1, capitals)).status).toBe(200);
});
