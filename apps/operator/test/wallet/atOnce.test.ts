import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { TestResponse } from '../support/http.ts';
import { OPENING_MICROS, useOperator, usePlayer } from '../support/testOperator.ts';
import { type Bet, codeOf, expectResult } from '../support/walletClient.ts';

const operator = useOperator();
const player = usePlayer(operator);
const other = usePlayer(operator);
const BET = 1_000_000;
const TAKEN = [`debit ${-BET}`];

function atOnce(count: number, send: () => Promise<TestResponse>): Promise<TestResponse[]> {
  return Promise.all(Array.from({ length: count }, send));
}

const newBet = async () => player.newBet();
const placeBet = () => player.placeBet(BET);
const rollback = (bet: Bet, changes: object) => player.rollback(bet, changes);
const rollbackOfNobody = (bet: Bet, changes: object) => player.rollback(bet, { ...changes, playerID: 'nobody' });

const REPEATED = [
  ['debit', newBet, (bet: Bet) => player.debit(bet, BET), OPENING_MICROS - BET, TAKEN],
  [
    'credit',
    placeBet,
    (bet: Bet, id: object) => player.credit(bet, BET, id),
    OPENING_MICROS,
    [...TAKEN, `credit ${BET}`],
  ],
  ['rollback', placeBet, rollback, OPENING_MICROS, [...TAKEN, `rollback ${BET}`]],
  ['rollback of an unknown debit', newBet, rollback, 'ERR_BNF', ['rollback 0']],
  ['rollback for an unknown player', newBet, rollbackOfNobody, 'ERR_BNF', []],
] as const;

describe.each([2, 20])('%i at once', (count) => {
  it.each(REPEATED)('the same %s: one entry', async (_request, prepare, send, result, entries) => {
    const bet = await prepare();
    const transactionID = randomUUID();
    for (const response of await atOnce(count, () => send(bet, { transactionID }))) expectResult(response, result);
    expect(await player.entries()).toEqual(entries);
  });

  it('credits of one round, each with its own id: one is accepted', async () => {
    const bet = await player.placeBet(BET);
    const codes = (await atOnce(count, () => player.credit(bet, BET))).map(codeOf);
    expect(codes.sort()).toEqual([...Array(count - 1).fill('ERR_VAL'), 'done']);
    expect(await player.balance()).toBe(OPENING_MICROS);
  });

  it('debits that together exceed the balance: only the balance is taken', async () => {
    const covered = count / 2;
    const codes = (await atOnce(count, () => player.debit(player.newBet(), OPENING_MICROS / covered))).map(codeOf);
    expect(codes.sort()).toEqual([...Array(count - covered).fill('ERR_IPB'), ...Array(covered).fill('done')]);
    expect(await player.balance()).toBe(0);
  });
});

/** Sends pairs of requests at once, and returns their codes. */
async function race(times: number, pair: () => Promise<Promise<TestResponse>[]>): Promise<string[]> {
  const seen: string[] = [];
  for (let time = 0; time < times; time += 1) {
    seen.push((await Promise.all(await pair())).map(codeOf).join(' '));
  }
  return seen;
}

function expectOnly(seen: string[], ...allowed: string[]): void {
  expect(seen.filter((codes) => !allowed.includes(codes))).toEqual([]);
}

it('a debit and its rollback: returned or never taken, whichever is first', async () => {
  const seen = await race(25, async () => {
    const bet = player.newBet();
    return [player.debit(bet, BET), player.rollback(bet)];
  });
  expectOnly(seen, 'done done', 'ERR_VAL ERR_BNF');
  expect(await player.balance()).toBe(OPENING_MICROS);
});

it('also when the rollback names another player, so that the two share no lock', async () => {
  const seen = await race(25, async () => {
    const bet = player.newBet();
    return [player.debit(bet, BET), player.rollback(bet, { playerID: other.playerID })];
  });
  expectOnly(seen, 'done ERR_VAL', 'ERR_VAL ERR_BNF');
  const taken = seen.filter((codes) => codes.startsWith('done')).length;
  expect(await player.balance()).toBe(OPENING_MICROS - taken * BET);
});

it('a credit and a rollback of one debit: one of them', async () => {
  const seen = await race(25, async () => {
    const bet = await player.placeBet(BET);
    return [player.credit(bet, BET), player.rollback(bet)];
  });
  expectOnly(seen, 'done ERR_VAL', 'ERR_VAL done');
  expect(await player.balance()).toBe(OPENING_MICROS);
});

it('one id for two players is one transaction', async () => {
  const seen = await race(50, async () => {
    const transactionID = randomUUID();
    return [player, other].map((each) => each.debit(each.newBet(), BET, { transactionID }));
  });
  expectOnly(seen, 'done ERR_DUP', 'ERR_DUP done');
});

it('twenty players do not disturb each other', async () => {
  const players = await Promise.all(Array.from({ length: 20 }, () => operator.newPlayer()));
  const playFiveRounds = async (each: (typeof players)[number]) => {
    for (let time = 0; time < 5; time += 1) await each.credit(await each.placeBet(BET), 2 * BET);
  };
  await Promise.all(players.map(playFiveRounds));
  for (const each of players) expect(await each.balance()).toBe(OPENING_MICROS + 5 * BET);
});

it('an account that is opened twenty times at once has its opening balance once', async () => {
  const playerID = `new-${randomUUID()}`;
  const responses = await atOnce(20, () => operator.api('POST', '/players', { playerID, currency: 'EUR' }));
  const body = { playerID, balances: [{ currency: 'EUR', balance: OPENING_MICROS }] };
  for (const response of responses) expect(response).toEqual({ status: 200, body });
});
