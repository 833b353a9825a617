import { expect, it } from 'vitest';
import { OPENING_MICROS, useOperator, usePlayer } from '../support/testOperator.ts';
import { expectResult } from '../support/walletClient.ts';

const operator = useOperator();
const player = usePlayer(operator);

const debit = (amount: number) => player.debit(player.newBet(), amount);

it('a debit takes its amount and returns the balance after it', async () => {
  const bet = player.newBet();
  expectResult(await player.debit(bet, 1_500_000), OPENING_MICROS - 1_500_000);
  expect(await player.statement()).toMatchObject([
    { kind: 'deposit', amount: OPENING_MICROS },
    { kind: 'debit', amount: -1_500_000, transactionID: bet.debitID, roundID: bet.facts.roundID, gameID: 'sample' },
  ]);
});

it('the balance may become 0, and not less', async () => {
  expectResult(await debit(OPENING_MICROS + 1), 'ERR_IPB');
  expectResult(await debit(OPENING_MICROS), 0);
  expectResult(await debit(1), 'ERR_IPB');
});

it('a debit that was refused may be sent again under its id', async () => {
  const bet = player.newBet();
  expectResult(await player.debit(bet, OPENING_MICROS + 1), 'ERR_IPB');
  expectResult(await player.debit(bet, 1), OPENING_MICROS - 1);
});

it("the player's daily loss limit holds to the micro", async () => {
  await player.setRules({ dailyLossLimit: 3_000_000 });
  const first = await player.placeBet(2_000_000);
  expectResult(await debit(1_000_001), 'ERR_GLE');
  await player.placeBet(1_000_000);
  expectResult(await debit(1), 'ERR_GLE');

  await player.credit(first, 500_000);
  expectResult(await debit(500_001), 'ERR_GLE');
  const last = await player.placeBet(500_000);
  await player.rollback(last);
  await player.placeBet(500_000);

  await player.setRules({ dailyLossLimit: null });
  await player.placeBet(1);
});

it('a loss of yesterday does not count today', async () => {
  await player.setRules({ dailyLossLimit: 1_000_000 });
  const bet = await player.placeBet(1_000_000);
  await operator.database.query(
    "UPDATE transactions SET created_at = created_at - interval '24 hours' WHERE transaction_id = $1",
    [bet.debitID],
  );
  await player.placeBet(1_000_000);
  // The rollback of a bet of yesterday leaves no room for a new loss.
  await player.rollback(bet);
  expectResult(await debit(1), 'ERR_GLE');
});

it('the limit is checked before the balance', async () => {
  await player.setRules({ dailyLossLimit: 0 });
  expectResult(await debit(OPENING_MICROS + 1), 'ERR_GLE');
});
