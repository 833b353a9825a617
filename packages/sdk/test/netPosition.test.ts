import { expect, it } from 'vitest';
import { expectTruth, type Game, startGame } from './support/games.ts';
import { rgs } from './support/rgs.ts';
import { BOOK, UNIT } from './support/testGames.ts';

const START = 1000 * UNIT;

async function playRound(game: Game, bet: { amount: number; mode: string }, book: number): Promise<void> {
  await rgs.force(game.session, bet.mode, book);
  await game.client.play(bet);
  await game.client.endRound();
}

it('is what the balance has changed by, for whole and broken cost multipliers', async () => {
  const game = await startGame({ setBalance: START });
  await playRound(game, { amount: UNIT, mode: 'BASE' }, BOOK.pays150);
  expect(game.client.state.netPositionMicros).toBe(UNIT / 2);
  await playRound(game, { amount: 300_000, mode: 'ANTE' }, BOOK.pays20);
  expect(game.client.state.netPositionMicros).toBe(UNIT / 2 - 375_000 + 60_000);
  await playRound(game, { amount: UNIT, mode: 'BONUS' }, BOOK.pays0);
  await playRound(game, { amount: UNIT, mode: 'AUTO' }, BOOK.pays0);
  const { netPositionMicros, balance } = game.client.state;
  expect(netPositionMicros).toBe((balance?.amount ?? 0) - START);
  await expectTruth(game);
});

it('counts the payout when the round ends, and a second end-round nothing', async () => {
  const game = await startGame();
  await rgs.force(game.session, 'BASE', BOOK.pays150);
  await game.client.play({ amount: UNIT, mode: 'BASE' });
  expect(game.client.state.netPositionMicros).toBe(-UNIT);
  await game.client.authenticate();
  expect(game.client.state.netPositionMicros).toBe(-UNIT);
  await game.client.endRound();
  await game.client.endRound();
  await game.client.authenticate();
  expect(game.client.state.netPositionMicros).toBe(UNIT / 2);
});

it('counts a resumed round with its payout only: its debit was before this client', async () => {
  const game = await startGame();
  await rgs.force(game.session, 'BASE', BOOK.pays150);
  await game.client.play({ amount: UNIT, mode: 'BASE' });
  await game.reload().authenticate();
  expect(game.client.state.netPositionMicros).toBe(0);
  await game.client.endRound();
  expect(game.client.state.netPositionMicros).toBe(1.5 * UNIT);
});

it('does not count a play that a page before this one has lost', async () => {
  const game = await startGame({ options: { maxRetries: 0 } });
  await rgs.force(game.session, 'AUTO', BOOK.pays0);
  game.proxy.fail('/wallet/play', 'lostResponse');
  await expect(game.client.play({ amount: UNIT, mode: 'AUTO' })).rejects.toThrow();
  await game.reload().authenticate();
  expect(game.client.state).toMatchObject({ round: { active: false }, netPositionMicros: 0 });
});

it('counts a round that another tab has ended, and not one that it has played', async () => {
  const game = await startGame();
  await rgs.force(game.session, 'BASE', BOOK.pays150);
  await game.client.play({ amount: UNIT, mode: 'BASE' });
  await rgs.endRound(game.session);
  await rgs.force(game.session, 'BASE', BOOK.pays0);
  await rgs.play(game.session, { amount: 5 * UNIT, mode: 'BASE' });
  await rgs.endRound(game.session);
  await game.client.authenticate();
  expect(game.client.state.netPositionMicros).toBe(UNIT / 2);
  await expectTruth(game);
});

it("does not take another tab's round for a play that never reached the server", async () => {
  const game = await startGame({ options: { maxRetries: 0 } });
  game.proxy.fail('/wallet/play', 'lostRequest');
  await expect(game.client.play({ amount: UNIT, mode: 'BASE' })).rejects.toThrow();
  await rgs.force(game.session, 'AUTO', BOOK.pays0);
  await rgs.play(game.session, { amount: UNIT, mode: 'AUTO' });
  await game.client.authenticate();
  expect(game.client.state.netPositionMicros).toBe(0);
  await playRound(game, { amount: UNIT, mode: 'BASE' }, BOOK.pays150);
  expect(game.client.state.netPositionMicros).toBe(UNIT / 2);
  await expectTruth(game);
});
