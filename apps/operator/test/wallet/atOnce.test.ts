import { randomUUID } from 'node:crypto';
import { beforeEach, expect, test } from 'vitest';
import { journalOf, OPENING_MICROS, useOperator } from '../support/testOperator.ts';
import type { Answer, PlayerCalls } from '../support/walletClient.ts';

const operator = useOperator();
const BET = 1_000_000;
let player: PlayerCalls;
beforeEach(async () => {
  player = await operator.newPlayer();
});

const CROWDS = [2, 20];

function atOnce(count: number, call: (number: number) => Promise<Answer>): Promise<Answer[]> {
  return Promise.all(Array.from({ length: count }, (_, number) => call(number)));
}

function codesOf(answers: Answer[]): string[] {
  return answers.map(({ status, body }) => (status === 200 ? 'done' : body.error));
}

async function kindsOf(of: PlayerCalls = player): Promise<string[]> {
  return (await journalOf(operator, of)).slice(1).map(({ kind, amount }) => `${kind} ${amount}`);
}

test.each(CROWDS)('%i times the same debit at once moves once', async (count) => {
  const bet = player.newBet();
  const answers = await atOnce(count, () => player.debit(bet, BET));
  for (const answer of answers) expect(answer).toMatchObject({ status: 200, body: { balance: OPENING_MICROS - BET } });
  expect(await kindsOf()).toEqual([`debit ${-BET}`]);
});

test.each(CROWDS)('%i times the same credit at once pays once', async (count) => {
  const bet = player.newBet();
  await player.debit(bet, BET);
  const transactionID = randomUUID();
  const answers = await atOnce(count, () => player.credit(bet, 3 * BET, { transactionID }));
  for (const answer of answers) expect(answer.body).toEqual({ balance: OPENING_MICROS + 2 * BET });
  expect(await kindsOf()).toEqual([`debit ${-BET}`, `credit ${3 * BET}`]);
});

test.each(CROWDS)('%i credits of one round at once, each with its own id: one is accepted', async (count) => {
  const bet = player.newBet();
  await player.debit(bet, BET);
  const codes = codesOf(await atOnce(count, () => player.credit(bet, BET)));
  expect(codes.sort()).toEqual([...Array(count - 1).fill('ERR_VAL'), 'done']);
  expect(await player.balance()).toBe(OPENING_MICROS);
});

test.each(CROWDS)('%i times the same rollback at once gives back once', async (count) => {
  const bet = player.newBet();
  await player.debit(bet, BET);
  const transactionID = randomUUID();
  const answers = await atOnce(count, () => player.rollback(bet, { transactionID }));
  for (const answer of answers) expect(answer.body).toEqual({ balance: OPENING_MICROS });
  expect(await kindsOf()).toEqual([`debit ${-BET}`, `rollback ${BET}`]);
});

test.each(CROWDS)('%i times the same rollback of nothing at once is remembered once', async (count) => {
  const bet = player.newBet();
  const transactionID = randomUUID();
  const codes = codesOf(await atOnce(count, () => player.rollback(bet, { transactionID })));
  expect(codes).toEqual(Array(count).fill('ERR_BNF'));
  expect(await kindsOf()).toEqual(['rollback 0']);
});

test.each(CROWDS)('%i times the same rollback for an unknown player at once', async (count) => {
  const bet = player.newBet();
  const transactionID = randomUUID();
  const codes = codesOf(await atOnce(count, () => player.rollback(bet, { transactionID, playerID: 'nobody' })));
  expect(codes).toEqual(Array(count).fill('ERR_BNF'));
});

test.each(CROWDS)('%i debits at once that together exceed the balance: only what is there is taken', async (count) => {
  const covered = count / 2;
  const codes = codesOf(await atOnce(count, () => player.debit(player.newBet(), OPENING_MICROS / covered)));
  expect(codes.sort()).toEqual([...Array(count - covered).fill('ERR_IPB'), ...Array(covered).fill('done')]);
  expect(await player.balance()).toBe(0);
});

test('a debit and its rollback at once: given back or never taken, whoever is first', async () => {
  for (let time = 0; time < 25; time += 1) {
    const bet = player.newBet();
    const [debit, rollback] = codesOf(await Promise.all([player.debit(bet, BET), player.rollback(bet)]));
    expect([
      ['done', 'done'],
      ['ERR_VAL', 'ERR_BNF'],
    ]).toContainEqual([debit, rollback]);
  }
  expect(await player.balance()).toBe(OPENING_MICROS);
});

test('also when the rollback names another player, so that no lock holds the two apart', async () => {
  const other = await operator.newPlayer();
  for (let time = 0; time < 25; time += 1) {
    const bet = player.newBet();
    const before = await player.balance();
    const calls = [player.debit(bet, BET), player.rollback(bet, { playerID: other.playerID })];
    const [debit, rollback] = codesOf(await Promise.all(calls));
    expect([
      ['done', 'ERR_VAL'],
      ['ERR_VAL', 'ERR_BNF'],
    ]).toContainEqual([debit, rollback]);
    expect(await player.balance()).toBe(debit === 'done' ? before - BET : before);
  }
});

test('a credit and a rollback of one debit at once: one of them', async () => {
  for (let time = 0; time < 25; time += 1) {
    const bet = player.newBet();
    await player.debit(bet, BET);
    const codes = codesOf(await Promise.all([player.credit(bet, BET), player.rollback(bet)]));
    expect(codes.sort()).toEqual(['ERR_VAL', 'done']);
  }
  expect(await player.balance()).toBe(OPENING_MICROS);
});

test('one id for two players at once is one transaction', async () => {
  const other = await operator.newPlayer();
  for (let time = 0; time < 50; time += 1) {
    const transactionID = randomUUID();
    const codes = codesOf(
      await Promise.all([
        player.debit(player.newBet(), BET, { transactionID }),
        other.debit(other.newBet(), BET, { transactionID }),
      ]),
    );
    expect(codes.sort()).toEqual(['ERR_DUP', 'done']);
  }
});

test('twenty players at once do not disturb each other', async () => {
  const players = await Promise.all(Array.from({ length: 20 }, () => operator.newPlayer()));
  await Promise.all(
    players.map(async (each) => {
      for (let time = 0; time < 5; time += 1) {
        const bet = each.newBet();
        await each.debit(bet, BET);
        await each.credit(bet, 2 * BET);
      }
    }),
  );
  for (const each of players) expect(await each.balance()).toBe(OPENING_MICROS + 5 * BET);
});

test('an account that is opened twenty times at once has its opening balance once', async () => {
  const playerID = `new-${randomUUID()}`;
  const answers = await atOnce(20, () => operator.api('POST', '/players', { playerID, currency: 'EUR' }));
  for (const { body } of answers) {
    expect(body).toEqual({ playerID, balances: [{ currency: 'EUR', balance: OPENING_MICROS }] });
  }
});
