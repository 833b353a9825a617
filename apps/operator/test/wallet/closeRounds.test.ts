import { randomUUID } from 'node:crypto';
import { MAX_CLOSINGS } from '@roundhouse/contract';
import { afterEach, expect, it } from 'vitest';
import { imbalancesOf, OPENING_MICROS, useOperator, usePlayer } from '../support/testOperator.ts';
import { type Bet, codeOf, expectResult } from '../support/walletClient.ts';

const operator = useOperator();
const player = usePlayer(operator);
const BET = 1_000_000;

afterEach(async () => expect(await imbalancesOf(operator)).toEqual([]));

function closingOf({ debitID, facts }: Bet, changes: object = {}) {
  return { transactionID: randomUUID() as string, debitTransactionID: debitID, ...facts, ...changes };
}

const close = (...rounds: object[]) => operator.wallet.post('/close-rounds', { rounds });

/** Returns one result per closing, as "done" or the code. */
async function resultsOf(...rounds: ReturnType<typeof closingOf>[]): Promise<string[]> {
  const { status, body } = await close(...rounds);
  expect(status, JSON.stringify(body)).toBe(200);
  expect(body.results.map(({ transactionID }: { transactionID: string }) => transactionID)).toEqual(
    rounds.map(({ transactionID }) => transactionID),
  );
  return body.results.map(({ error = 'done' }: { error?: string }) => error);
}

it('a group of several players is closed, and each closing is a credit of 0 in the journal', async () => {
  const other = await operator.newPlayer();
  const bets = [await player.placeBet(BET), await other.placeBet(BET), await player.placeBet(BET)];
  expect(await resultsOf(...bets.map((bet) => closingOf(bet)))).toEqual(['done', 'done', 'done']);
  expect(await player.entries()).toEqual([`debit ${-BET}`, `debit ${-BET}`, 'credit 0', 'credit 0']);
  expect(await other.entries()).toEqual([`debit ${-BET}`, 'credit 0']);
  for (const bet of bets) expectResult(await player.rollback(bet), 'ERR_VAL');
});

it('a closing is the credit of 0 with its id, whichever comes first', async () => {
  const [first, second] = [await player.placeBet(BET), await player.placeBet(BET)];
  const [closing, id] = [closingOf(first), { transactionID: randomUUID() }];
  expect(await resultsOf(closing)).toEqual(['done']);
  expectResult(await player.credit(first, 0, { transactionID: closing.transactionID }), OPENING_MICROS - 2 * BET);
  expectResult(await player.credit(second, 0, id), OPENING_MICROS - 2 * BET);
  expect(await resultsOf(closingOf(second, id), closing)).toEqual(['done', 'done']);
  expectResult(await player.credit(first, 1, { transactionID: closing.transactionID }), 'ERR_DUP');
});

it('a closing that is refused changes nothing for the others', async () => {
  const [lost, paid, returned] = [await player.placeBet(BET), await player.placeBet(BET), await player.placeBet(BET)];
  await player.credit(paid, 5);
  await player.rollback(returned);
  const known = closingOf(lost);
  const rounds = [
    [closingOf(player.newBet()), 'ERR_BNF'],
    [known, 'done'],
    [closingOf(paid), 'ERR_VAL'],
    [closingOf(returned), 'ERR_VAL'],
    [closingOf(await player.placeBet(BET), { gameID: 'another' }), 'ERR_VAL'],
    [closingOf(await player.placeBet(BET), { playerID: 'nobody' }), 'ERR_VAL'],
    [closingOf(await player.placeBet(BET), { transactionID: lost.debitID }), 'ERR_DUP'],
    [closingOf(await player.placeBet(BET)), 'done'],
  ] as const;
  expect(await resultsOf(...rounds.map(([closing]) => closing))).toEqual(rounds.map(([, result]) => result));
  expect(await resultsOf({ ...known, roundID: 'another' }, known)).toEqual(['ERR_DUP', 'done']);
});

it('the same group twenty times at once, in any order of its rounds, closes each round once', async () => {
  const other = await operator.newPlayer();
  const bets = await Promise.all([player, other, player, other].map((each) => each.placeBet(BET)));
  const rounds = bets.map((bet) => closingOf(bet));
  const groups = Array.from({ length: 20 }, (_, time) => (time % 2 === 0 ? rounds : rounds.toReversed()));
  for (const results of await Promise.all(groups.map((group) => resultsOf(...group)))) {
    expect(results).toEqual(['done', 'done', 'done', 'done']);
  }
  expect(await player.entries()).toEqual([`debit ${-BET}`, `debit ${-BET}`, 'credit 0', 'credit 0']);
});

it('a closing and the credit with its id at once are one transaction', async () => {
  for (let time = 0; time < 25; time += 1) {
    const bet = await player.placeBet(BET);
    const closing = closingOf(bet);
    const [results, credited] = await Promise.all([resultsOf(closing), player.credit(bet, 0, closing)]);
    expect([...results, codeOf(credited)]).toEqual(['done', 'done']);
  }
});

it('the largest group is taken; a larger one and one without rounds are ERR_VAL', async () => {
  const bets = await Promise.all(Array.from({ length: MAX_CLOSINGS }, () => player.placeBet(1)));
  const rounds = bets.map((bet) => closingOf(bet));
  const padded = { rounds, padding: 'x'.repeat(128 * 1024 - JSON.stringify({ rounds, padding: '' }).length) };
  const { body } = await operator.wallet.post('/close-rounds', padded);
  expect(body.results).toEqual(rounds.map(({ transactionID }) => ({ transactionID })));
  expectResult(await close(...rounds, closingOf(player.newBet())), 'ERR_VAL');
  expectResult(await close(), 'ERR_VAL');
});

it('a text that the database cannot store is ERR_VAL, at any depth', async () => {
  const closing = closingOf(await player.placeBet(BET), { roundID: 'a\u0000' });
  expectResult(await close(closing), 'ERR_VAL');
});

it('a debit that closes its round is paid nothing, and can be rolled back', async () => {
  const bet = player.newBet();
  const closing = { roundClosed: true };
  expectResult(await player.debit(bet, BET, closing), OPENING_MICROS - BET);
  expectResult(await player.debit(bet, BET, closing), OPENING_MICROS - BET);
  expectResult(await player.debit(bet, BET), 'ERR_DUP');
  expectResult(await player.credit(bet, 5), 'ERR_VAL');
  expect(await resultsOf(closingOf(bet))).toEqual(['ERR_VAL']);
  expectResult(await player.rollback(bet), OPENING_MICROS);
});
