import { randomUUID } from 'node:crypto';
import { afterEach, expect, it } from 'vitest';
import { OPENING_MICROS, useOperator, usePlayer } from '../support/testOperator.ts';
import { type Bet, expectResult } from '../support/walletClient.ts';

const operator = useOperator();
const player = usePlayer(operator);
const BET = 1_000_000;
afterEach(async () => {
  await operator.api('DELETE', '/bench/wallet-faults');
});

/** Each ends automatically after ten minutes. */
async function switchOn(...faults: object[]): Promise<void> {
  const running = faults.map((fault) => ({ seconds: 600, ...fault }));
  const response = await operator.api('PUT', '/bench/wallet-faults', { faults });
  expect(response).toEqual({ status: 200, body: { faults: running } });
}

it('an error replaces the work, with the status of its code', async () => {
  const faults = [{ error: 'ERR_UE' }, { error: 'ERR_IPB' }, {}];
  await switchOn(...faults.map((fault) => ({ kind: 'error', next: 1, ...fault })));
  expectResult(await player.debit(player.newBet(), BET), 'ERR_UE');
  expectResult(await player.debit(player.newBet(), BET), 'ERR_IPB');
  const { status, body } = await player.debit(player.newBet(), BET);
  expect([status, body.error]).toEqual([500, undefined]);
  expect(await player.entries()).toEqual([]);
});

it.each([
  ['lost_response', 'is done', [`debit ${-BET}`]],
  ['lost_request', 'is not done', []],
])('%s: the work %s, and a repetition succeeds', async (kind, _work, entries) => {
  await switchOn({ kind, path: '/debit', next: 1 });
  const bet = player.newBet();
  await expect(player.debit(bet, BET)).rejects.toThrow();
  expect(await player.entries()).toEqual(entries);
  expectResult(await player.debit(bet, BET), OPENING_MICROS - BET);
});

it('a duplicate is two deliveries and one transaction', async () => {
  await switchOn({ kind: 'duplicate', next: 2 });
  const bet = player.newBet();
  expectResult(await player.debit(bet, BET), OPENING_MICROS - BET);
  expectResult(await player.credit(bet, BET), OPENING_MICROS);
  expect(await player.entries()).toEqual([`debit ${-BET}`, `credit ${BET}`]);
});

it('a fault meets its path, and is used up', async () => {
  await switchOn({ kind: 'lost_request', path: '/credit', next: 1 });
  const bet = await player.placeBet(BET);
  await expect(player.credit(bet, BET)).rejects.toThrow();
  expect((await operator.api('GET', '/bench/wallet-faults')).body).toEqual({ faults: [] });
});

it('a fault of one player affects the whole group that holds a closing of theirs', async () => {
  const other = await operator.newPlayer();
  const closingOf = ({ debitID, facts }: Bet) => ({
    transactionID: randomUUID(),
    debitTransactionID: debitID,
    ...facts,
  });
  const [own, others] = [closingOf(await player.placeBet(BET)), closingOf(await other.placeBet(BET))];
  await switchOn({ kind: 'lost_request', path: '/close-rounds', playerID: player.playerID, next: 1 });
  const close = (...rounds: object[]) => operator.wallet.post('/close-rounds', { rounds });
  expect((await close(others)).status).toBe(200);
  await expect(close(others, own)).rejects.toThrow();
  expect(await player.entries()).toEqual([`debit ${-BET}`]);
  expect((await close(others, own)).status).toBe(200);
  expect(await player.entries()).toEqual([`debit ${-BET}`, 'credit 0']);
});

it.each([
  {},
  { faults: [{ kind: 'lost_request' }] },
  { faults: [{ kind: 'lost_request', next: 1, path: '/wallet/play' }] },
  { faults: [{ kind: 'error', error: 'ERR_NONE', next: 1 }] },
])('the invalid plan %j changes nothing', async (plan) => {
  await switchOn({ kind: 'lost_request', path: '/credit', next: 1 });
  const response = await operator.api('PUT', '/bench/wallet-faults', plan);
  expect(response).toEqual({ status: 400, body: { error: 'ERR_VAL', message: expect.any(String) } });
  expect((await operator.api('GET', '/bench/wallet-faults')).body.faults).toHaveLength(1);
});
