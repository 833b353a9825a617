import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { OPENING_MICROS, useOperator, usePlayer } from '../support/testOperator.ts';
import { type Bet, expectResult } from '../support/walletClient.ts';

const operator = useOperator();
const player = usePlayer(operator);
const BET = 1_000_000;

const newBet = async () => player.newBet();
const placeBet = () => player.placeBet(BET);
const anotherDebit = async () => ({ debitTransactionID: (await placeBet()).debitID });
const debit = (bet: Bet, changes: object) => player.debit(bet, BET, { ...changes, transactionID: bet.debitID });
const credit = (bet: Bet, changes: object) => player.credit(bet, 3 * BET, changes);
const creditOfNothing = (bet: Bet, changes: object) => player.credit(bet, 0, changes);
const rollback = (bet: Bet, changes: object) => player.rollback(bet, changes);

it.each([
  ['debit', newBet, debit, [{ amount: 5 }, { mode: 'BONUS' }]],
  ['credit', placeBet, credit, [{ amount: 5 }, { roundClosed: false }, anotherDebit]],
  ['credit of 0', placeBet, creditOfNothing, [{ amount: 1 }, anotherDebit]],
  ['rollback', placeBet, rollback, [anotherDebit]],
])('a %s: the same content is the same success, other content is ERR_DUP', async (_kind, prepare, send, others) => {
  const { playerID } = await operator.newPlayer();
  await operator.newPlayer({ playerID: player.playerID, currency: 'EUR' });
  const facts = [{ roundID: 'x' }, { playerID }, { playerID: 'nobody' }, { currency: 'EUR' }, { gameID: 'x' }];
  const bet = await prepare();
  const id = { transactionID: randomUUID() };
  expect((await send(bet, id)).status).toBe(200);
  // The repetition returns the balance of now.
  await player.placeBet(7);
  const otherContent = await Promise.all(others.map((each) => (typeof each === 'function' ? each() : each)));
  const [entries, balance] = [await player.entries(), await player.balance()];
  expectResult(await send(bet, id), balance);
  for (const changes of [...facts, ...otherContent]) expectResult(await send(bet, { ...id, ...changes }), 'ERR_DUP');
  expectResult(await send(bet, { ...id, reason: 'in other words' }), balance);
  expect(await player.entries()).toEqual(entries);
});

it('a debit whose session has ended since', async () => {
  const bet = await player.placeBet(1);
  expectResult(await player.debit(bet, 1, { sessionID: 'lobby:gone' }), OPENING_MICROS - 1);
  expectResult(await player.debit(bet, 2, { sessionID: 'lobby:gone' }), 'ERR_DUP');
});

it('a debit that was rolled back since is a success and takes nothing', async () => {
  const bet = await player.placeBet(BET);
  await player.rollback(bet);
  expectResult(await player.debit(bet, BET), OPENING_MICROS);
});

it('a rollback that found no debit', async () => {
  const transactionID = randomUUID();
  const bet = player.newBet();
  expectResult(await player.rollback(bet, { transactionID }), 'ERR_BNF');
  expectResult(await player.rollback(bet, { transactionID, roundID: 'another' }), 'ERR_DUP');
  expectResult(await player.rollback(player.newBet(), { transactionID }), 'ERR_DUP');
  expectResult(await player.rollback(bet, { transactionID }), 'ERR_BNF');
});

it('an id of another kind is ERR_DUP', async () => {
  const bet = await player.placeBet(BET);
  expectResult(await player.credit(bet, 1, { transactionID: bet.debitID }), 'ERR_DUP');
  expectResult(await player.rollback(bet, { transactionID: bet.debitID }), 'ERR_DUP');
  const transactionID = randomUUID();
  await player.credit(bet, 1, { transactionID });
  expectResult(await player.debit(player.newBet(), 1, { transactionID }), 'ERR_DUP');
});

it('in capital letters it is the same id', async () => {
  const bet = await player.placeBet(BET);
  expectResult(await player.debit(bet, BET, { transactionID: bet.debitID.toUpperCase() }), OPENING_MICROS - BET);
  const transactionID = randomUUID();
  expectResult(await player.credit(bet, 1, { transactionID }), OPENING_MICROS - BET + 1);
  const capitals = { transactionID: transactionID.toUpperCase(), debitTransactionID: bet.debitID.toUpperCase() };
  expectResult(await player.credit(bet, 1, capitals), OPENING_MICROS - BET + 1);
});
