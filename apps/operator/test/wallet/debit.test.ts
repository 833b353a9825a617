import { beforeEach, expect, test } from 'vitest';
import { expectRefused, journalOf, OPENING_MICROS, useOperator } from '../support/testOperator.ts';
import type { PlayerCalls } from '../support/walletClient.ts';

const operator = useOperator();
let player: PlayerCalls;
beforeEach(async () => {
  player = await operator.newPlayer();
});

async function setLossLimit(dailyLossLimit: number | null): Promise<void> {
  const { playerID, currency } = player;
  await operator.api('PUT', `/bench/players/${playerID}`, { currency, dailyLossLimit });
}

test('a debit takes its amount and answers what is left', async () => {
  const bet = player.newBet();
  expect(await player.debit(bet, 1_500_000)).toMatchObject({
    status: 200,
    body: { balance: OPENING_MICROS - 1_500_000 },
  });
  expect(await journalOf(operator, player)).toMatchObject([
    { kind: 'deposit', amount: OPENING_MICROS },
    { kind: 'debit', amount: -1_500_000, transactionID: bet.debitID, roundID: bet.facts.roundID, gameID: 'sample' },
  ]);
});

test('the balance may go to nothing, and not below', async () => {
  expectRefused(await player.debit(player.newBet(), OPENING_MICROS + 1), 'ERR_IPB');
  expect(await player.debit(player.newBet(), OPENING_MICROS)).toMatchObject({ status: 200, body: { balance: 0 } });
  expectRefused(await player.debit(player.newBet(), 1), 'ERR_IPB');
});

test('a debit that was refused may come again under its id', async () => {
  const bet = player.newBet();
  expectRefused(await player.debit(bet, OPENING_MICROS + 1), 'ERR_IPB');
  expect((await player.debit(bet, 1)).status).toBe(200);
});

test("the player's daily loss limit is kept to the micro", async () => {
  await setLossLimit(3_000_000);
  const first = player.newBet();
  expect((await player.debit(first, 2_000_000)).status).toBe(200);
  expectRefused(await player.debit(player.newBet(), 1_000_001), 'ERR_GLE');
  expect((await player.debit(player.newBet(), 1_000_000)).status).toBe(200);
  expectRefused(await player.debit(player.newBet(), 1), 'ERR_GLE');

  await player.credit(first, 500_000);
  expectRefused(await player.debit(player.newBet(), 500_001), 'ERR_GLE');
  const last = player.newBet();
  expect((await player.debit(last, 500_000)).status).toBe(200);
  await player.rollback(last);
  expect((await player.debit(player.newBet(), 500_000)).status).toBe(200);

  await setLossLimit(null);
  expect((await player.debit(player.newBet(), 1)).status).toBe(200);
});

test('what was lost yesterday does not count today', async () => {
  await setLossLimit(1_000_000);
  const bet = player.newBet();
  await player.debit(bet, 1_000_000);
  await operator.database.query(
    "UPDATE transactions SET created_at = created_at - interval '24 hours' WHERE transaction_id = $1",
    [bet.debitID],
  );
  expect((await player.debit(player.newBet(), 1_000_000)).status).toBe(200);
  // Of a bet of yesterday that is given back today, nothing is to be lost anew.
  await player.rollback(bet);
  expectRefused(await player.debit(player.newBet(), 1), 'ERR_GLE');
});

test('the limit is checked before the balance', async () => {
  await setLossLimit(0);
  expectRefused(await player.debit(player.newBet(), OPENING_MICROS + 1), 'ERR_GLE');
});
