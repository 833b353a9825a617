import { expect, it } from 'vitest';
import { expectTruth, failureOf, startGame } from './support/games.ts';
import { UNIT } from './support/testGames.ts';

it('the history comes page by page, and leaves the state alone', async () => {
  const game = await startGame();
  const { client } = game;
  for (let count = 0; count < 2; count += 1) {
    await client.play({ amount: UNIT, mode: 'BASE' });
    await client.endRound();
  }
  const { round } = await client.play({ amount: 2 * UNIT, mode: 'BASE' });
  const before = client.state;
  const first = await client.history({ limit: 2 });
  const active = { betID: round.betID, amount: 2 * UNIT, active: true, endedAt: null };
  expect(first.rounds).toMatchObject([active, { active: false, bookID: expect.any(Number) }]);
  expect(first.next).toBe(first.rounds.at(-1)?.betID);
  const last = await client.history({ before: first.next ?? 0, limit: 2 });
  expect(last).toMatchObject({ rounds: [{ amount: UNIT }], next: null });
  expect(client.state).toBe(before);
  await expectTruth(game);
});

it('a round of the history is replayed by its book', async () => {
  const { client, session } = await startGame();
  const { round } = await client.play({ amount: UNIT, mode: 'BASE' });
  await client.endRound();
  const [past] = (await client.history()).rounds;
  const { gameVersion = '', mode = '', bookID } = past ?? {};
  const book = await client.replay({ game: session.gameID, version: gameVersion, mode, event: String(bookID) });
  expect(book.state).toEqual(round.state);
});

it.each([
  { rounds: {}, next: null },
  { rounds: [], next: '7' },
  { rounds: [{ betID: 1 }], next: null },
  { rounds: [null], next: null },
])('a history like %j is a server-error', async (body) => {
  const { client, proxy } = await startGame({ options: { maxRetries: 0 } });
  proxy.fail('/bet/history', { status: 200, body });
  expect(await failureOf(client.history())).toMatchObject({ kind: 'server-error', status: 200 });
});
