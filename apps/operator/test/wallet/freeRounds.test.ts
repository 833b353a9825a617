import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { OPENING_MICROS, useOperator, usePlayer } from '../support/testOperator.ts';
import { codeOf, expectResult } from '../support/walletClient.ts';

const operator = useOperator();
const player = usePlayer(operator);
const BET = 2_000_000;

const newGrantID = () => `grant-${randomUUID()}`;
const closed = { grantClosed: true };

/** Plays the last round of a new grant that pays at its end. */
async function playGrant() {
  const grantID = newGrantID();
  const bet = await player.placeFreeBet(grantID, BET);
  expectResult(await player.credit(bet, 0, { grantID }), await player.balance());
  return { bet, grantID };
}

it('a free round takes nothing, needs no balance and is paid as any other', async () => {
  const grantID = newGrantID();
  await player.setBalance(0);
  const bet = await player.placeFreeBet(grantID, BET);
  expectResult(await player.credit(bet, 5, { grantID }), 5);
  expect((await player.entries()).slice(1)).toEqual(['debit 0', 'credit 5']);
});

it.each([
  ['no grantID', { freeBet: BET }, 0],
  ['no freeBet', { grantID: 'a-grant' }, 0],
  ['neither', {}, 0],
  ['a price', { grantID: 'a-grant', freeBet: BET }, 1],
  ['a price and no freeBet', { grantID: 'a-grant' }, 1],
  ['a price and no grantID', { freeBet: BET }, 1],
  ['a freeBet of 0', { grantID: 'a-grant', freeBet: 0 }, 0],
])('a free debit with %s is ERR_VAL', async (_what, fields, amount) => {
  expectResult(await player.debit(player.newBet(), amount, fields), 'ERR_VAL');
});

it('a free debit needs a session like any other', async () => {
  const fields = { grantID: newGrantID(), freeBet: BET, sessionID: 'lobby:gone' };
  expectResult(await player.debit(player.newBet(), 0, fields), 'ERR_IS');
});

it('a free debit, a credit and winnings: the same content is the same success, other content is ERR_DUP', async () => {
  const grantID = newGrantID();
  const bet = player.newBet();
  const debit = { grantID, freeBet: BET };
  const [ofCredit, ofWinnings] = [
    { grantID, transactionID: randomUUID() },
    { grantID, ...closed, transactionID: randomUUID() },
  ];
  const balance = OPENING_MICROS + 7;
  for (let time = 0; time < 2; time += 1) {
    expect(codeOf(await player.debit(bet, 0, debit))).toBe('done');
    expect(codeOf(await player.credit(bet, 0, ofCredit))).toBe('done');
    expectResult(await player.credit(bet, 7, ofWinnings), balance);
  }
  expectResult(await player.debit(bet, 0, { ...debit, grantID: 'another' }), 'ERR_DUP');
  expectResult(await player.debit(bet, 0, { ...debit, freeBet: 1 }), 'ERR_DUP');
  expectResult(await player.debit(bet, 1), 'ERR_DUP');
  expectResult(await player.credit(bet, 0, { ...ofCredit, grantID: undefined }), 'ERR_DUP');
  expectResult(await player.credit(bet, 7, { ...ofWinnings, grantClosed: undefined }), 'ERR_DUP');
  expectResult(await player.credit(bet, 8, ofWinnings), 'ERR_DUP');
  expect(await player.balance()).toBe(balance);
});

it('a credit and a closing name the grant of their debit', async () => {
  const grantID = newGrantID();
  const [free, paid] = [await player.placeFreeBet(grantID), await player.placeBet(BET)];
  for (const each of [undefined, 'another']) expectResult(await player.credit(free, 1, { grantID: each }), 'ERR_VAL');
  expectResult(await player.credit(paid, 1, { grantID }), 'ERR_VAL');
  const closing = { debitTransactionID: free.debitID, ...free.facts };
  const rounds = [
    { ...closing, transactionID: randomUUID() },
    { ...closing, transactionID: randomUUID(), grantID },
  ];
  const { body } = await operator.wallet.post('/close-rounds', { rounds });
  expect(body.results.map(({ error = 'done' }: { error?: string }) => error)).toEqual(['ERR_VAL', 'done']);
});

it('a rollback of a free round returns 0, and the round is void', async () => {
  const grantID = newGrantID();
  const bet = await player.placeFreeBet(grantID, BET);
  for (let time = 0; time < 2; time += 1) expectResult(await player.rollback(bet), OPENING_MICROS);
  for (const more of [{}, closed]) expectResult(await player.credit(bet, 1, { grantID, ...more }), 'ERR_VAL');
  const late = player.newBet();
  expectResult(await player.rollback(late), 'ERR_BNF');
  expectResult(await player.debit(late, 0, { grantID, freeBet: BET }), 'ERR_VAL');
  expect(await player.entries()).toEqual(['debit 0', 'rollback 0', 'rollback 0', 'rollback 0']);
});

it('winnings are paid once for each grant, also when the session has ended', async () => {
  const { bet, grantID } = await playGrant();
  await operator.database.query('DELETE FROM sessions');
  expectResult(await player.credit(bet, BET, { grantID, ...closed }), OPENING_MICROS + BET);
  expectResult(await player.credit(bet, BET, { grantID, ...closed }), 'ERR_VAL');
  expect(await player.entries()).toEqual(['debit 0', 'credit 0', `credit ${BET}`]);
});

it('winnings of another debit, grant or player, or of a paid round, are ERR_VAL', async () => {
  const { bet, grantID } = await playGrant();
  const { playerID } = await operator.newPlayer();
  const paid = await player.placeBet(BET);
  expectResult(await player.credit(bet, 1, { ...closed, grantID: 'another' }), 'ERR_VAL');
  expectResult(await player.credit(bet, 1, { ...closed, grantID, playerID }), 'ERR_VAL');
  for (const each of [undefined, grantID])
    expectResult(await player.credit(paid, 1, { ...closed, grantID: each }), 'ERR_VAL');
  expectResult(await player.credit(player.newBet(), 1, { ...closed, grantID }), 'ERR_BNF');
});

it('winnings may come before the closing of their round, which is not rolled back then', async () => {
  const grantID = newGrantID();
  const bet = await player.placeFreeBet(grantID);
  expectResult(await player.credit(bet, 5, { grantID, ...closed }), OPENING_MICROS + 5);
  expectResult(await player.rollback(bet), 'ERR_VAL');
  expectResult(await player.credit(bet, 0, { grantID }), OPENING_MICROS + 5);
});

it('the winnings of a grant twenty times at once, with one id or with many, are paid once', async () => {
  const { bet, grantID } = await playGrant();
  const same = { grantID, ...closed, transactionID: randomUUID() };
  const others = Array.from({ length: 10 }, () => ({ grantID, ...closed }));
  const codes = (
    await Promise.all([...Array(10).fill(same), ...others].map((each) => player.credit(bet, 9, each)))
  ).map(codeOf);
  expect(await player.balance()).toBe(OPENING_MICROS + 9);
  expect(new Set(codes)).toEqual(new Set(['done', 'ERR_VAL']));
});

it('free rounds count for no loss limit, and their wins lower no loss', async () => {
  await player.setRules({ dailyLossLimit: BET });
  await player.placeBet(BET);
  const grantID = newGrantID();
  const bet = await player.placeFreeBet(grantID, BET);
  await player.credit(bet, 5 * BET, { grantID });
  expectResult(await player.debit(player.newBet(), 1), 'ERR_GLE');
});
