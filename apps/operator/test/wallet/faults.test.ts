import { afterEach, beforeEach, expect, test } from 'vitest';
import { expectRefused, journalOf, OPENING_MICROS, useOperator } from '../support/testOperator.ts';
import type { PlayerCalls } from '../support/walletClient.ts';

const operator = useOperator();
const BET = 1_000_000;
let player: PlayerCalls;
beforeEach(async () => {
  player = await operator.newPlayer();
});
afterEach(async () => {
  await operator.api('DELETE', '/bench/wallet-faults');
});

async function switchOn(...faults: object[]): Promise<void> {
  expect(await operator.api('PUT', '/bench/wallet-faults', { faults })).toMatchObject({
    status: 200,
    body: { faults },
  });
}

async function transactions(): Promise<string[]> {
  return (await journalOf(operator, player)).slice(1).map(({ kind }) => kind);
}

test('an error takes the place of the work, with the status that its code has', async () => {
  await switchOn({ kind: 'error', error: 'ERR_UE', next: 1 }, { kind: 'error', error: 'ERR_IPB', next: 1 });
  expectRefused(await player.debit(player.newBet(), BET), 'ERR_UE', 500);
  expectRefused(await player.debit(player.newBet(), BET), 'ERR_IPB', 400);
  expect((await player.debit(player.newBet(), BET)).status).toBe(200);
  expect(await transactions()).toEqual(['debit']);
});

test('an error without a code is a 500 that names none', async () => {
  await switchOn({ kind: 'error', next: 1 });
  const { status, body } = await player.debit(player.newBet(), BET);
  expect(status).toBe(500);
  expect(body.error).toBeUndefined();
});

test('a lost answer: the work is done, and a repetition says so', async () => {
  await switchOn({ kind: 'lost_response', path: '/debit', next: 1 });
  const bet = player.newBet();
  await expect(player.debit(bet, BET)).rejects.toThrow();
  expect(await transactions()).toEqual(['debit']);
  expect(await player.debit(bet, BET)).toMatchObject({ status: 200, body: { balance: OPENING_MICROS - BET } });
});

test('a cut: nothing is done', async () => {
  await switchOn({ kind: 'lost_request', path: '/debit', next: 1 });
  await expect(player.debit(player.newBet(), BET)).rejects.toThrow();
  expect(await transactions()).toEqual([]);
});

test('a duplicate is two deliveries and one transaction', async () => {
  await switchOn({ kind: 'duplicate', next: 2 });
  const bet = player.newBet();
  expect(await player.debit(bet, BET)).toMatchObject({ status: 200, body: { balance: OPENING_MICROS - BET } });
  expect(await player.credit(bet, BET)).toMatchObject({ status: 200, body: { balance: OPENING_MICROS } });
  expect(await transactions()).toEqual(['debit', 'credit']);
});

test('a fault meets the path that it names, and is used up', async () => {
  await switchOn({ kind: 'lost_request', path: '/credit', next: 1 });
  const bet = player.newBet();
  expect((await player.debit(bet, BET)).status).toBe(200);
  await expect(player.credit(bet, BET)).rejects.toThrow();
  expect((await operator.api('GET', '/bench/wallet-faults')).body).toEqual({ faults: [] });
});

test('what is no plan of this wire changes nothing', async () => {
  await switchOn({ kind: 'lost_request', path: '/credit', next: 1 });
  for (const plan of [
    {},
    { faults: [{ kind: 'lost_request' }] },
    { faults: [{ kind: 'lost_request', next: 1, path: '/wallet/play' }] },
    { faults: [{ kind: 'error', error: 'ERR_NONE', next: 1 }] },
  ]) {
    expect(await operator.api('PUT', '/bench/wallet-faults', plan)).toMatchObject({
      status: 400,
      body: { error: 'ERR_VAL', message: expect.any(String) },
    });
  }
  expect((await operator.api('GET', '/bench/wallet-faults')).body.faults).toHaveLength(1);
});
