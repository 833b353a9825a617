import { eventMark } from '@roundhouse/sdk/events';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { anyFreeSpinsBook, freeSpinsBook, payoutOf, plainBook } from './testing/books.ts';
import { createFakeServer } from './testing/fakeServer.ts';
import { atRest, enterTestGame, openTestGame } from './testing/testGame.ts';

it('shows that a round is open before it continues, and sets its bet and mode', async () => {
  const server = createFakeServer();
  server.openRound(plainBook(300), { mode: 'ANTE' });
  const game = await openTestGame({ server });
  await game.start();
  expect(game.model.openRound.peek()).toBe(true);
  expect(game.model.phase.peek()).toBe('intro');
  game.actions.enter();
  await atRest(game.model);
  expect(game.model.mode.peek()).toBe('ANTE');
  expect(game.model.winMicros.peek()).toBe(3_000_000);
  expect(server.count('play')).toBe(0);
  expect(game.model.balanceMicros.peek()).toBe(1_000_000_000 - 1_250_000 + 3_000_000);
});

it('records how far free spins have been shown, before each of them is', async () => {
  const { model, actions, server, stage } = await enterTestGame();
  server.books.push(freeSpinsBook(100, 0, 50));
  const marks: (string | null | undefined)[] = [];
  stage.onCall = (name) => {
    if (name === 'startReels') marks.push(server.round?.event);
  };
  actions.spin();
  await atRest(model);
  const spins = server.round?.state.flatMap((event, index) =>
    (event as { type: string }).type === 'updateFreeSpin' ? [eventMark(index)] : [],
  );
  expect(marks.slice(1)).toEqual(spins);
});

it('continues although no event can be recorded', async () => {
  const { model, actions, server } = await enterTestGame();
  server.books.push(freeSpinsBook(100));
  for (let index = 0; index < 5; index += 1) server.fail('event', 'ERR_GEN');
  actions.spin();
  await atRest(model);
  expect(model.dialog.peek()).toBeUndefined();
  expect(model.balanceMicros.peek()).toBe(1_000_000_000);
});

it('ends in the same state from wherever it is resumed', async () => {
  await fc.assert(
    fc.asyncProperty(anyFreeSpinsBook, fc.nat(), async (book, seed) => {
      const from = seed % (book.length + 1);
      const server = createFakeServer();
      server.openRound(book, { event: eventMark(from) });
      const { model, stage } = await enterTestGame({ server });
      await atRest(model);
      const last = book.filter((event) => event.type === 'reveal').at(-1);
      expect(model.winMicros.peek()).toBe(payoutOf(book) * 10_000);
      expect(model.balanceMicros.peek()).toBe(server.balance);
      expect(server.round?.active).toBe(false);
      expect(stage.board).toEqual(last?.board);
      expect(stage.scene).toBe('base');
      expect(model.freeSpins.peek()).toBeUndefined();
      expect(model.canSpin.peek()).toBe(true);
    }),
    { numRuns: 40 },
  );
});

it('restores scene, counters and board when free spins are resumed', async () => {
  const book = freeSpinsBook(100, 50, 0);
  const from = book.findIndex((event) => event.type === 'updateFreeSpin' && event.spin === 3);
  const server = createFakeServer();
  server.openRound(book, { event: eventMark(from) });
  const game = await openTestGame({ server });
  await game.start();
  const { model, stage } = game;
  stage.onCall = (name) => {
    if (name !== 'startReels') return;
    expect(stage.scene).toBe('freeSpins');
    expect(stage.multiplier).toBe(3);
    expect(model.freeSpins.peek()).toEqual({ spin: 3, totalSpins: 3, multiplier: 3 });
    expect(model.winMicros.peek()).toBe(1_500_000);
    expect(stage.calls).not.toContain('stopReels');
    expect(stage.calls).not.toContain('announce');
  };
  game.actions.enter();
  await atRest(model);
  expect(stage.calls.filter((name) => name === 'startReels')).toHaveLength(1);
});

it('shows the board that the last completed round has left', async () => {
  const server = createFakeServer();
  const book = plainBook(0);
  server.openRound(book);
  if (server.round) server.round = { ...server.round, active: false };
  const { stage, model } = await enterTestGame({ server });
  expect(stage.board).toEqual(book[0]?.type === 'reveal' && book[0].board);
  expect(model.phase.peek()).toBe('idle');
  expect(model.openRound.peek()).toBe(false);
});

it('shows an open round of another tab instead of opening a second one', async () => {
  const { model, actions, server } = await enterTestGame();
  server.openRound(freeSpinsBook(400));
  actions.spin();
  await atRest(model);
  expect(model.dialog.peek()).toMatchObject({ failure: 'openElsewhere', remedy: 'resume' });
  expect(model.balanceMicros.peek()).toBe(server.balance);
  actions.remedy();
  await atRest(model);
  expect(model.dialog.peek()).toBeUndefined();
  expect(model.winMicros.peek()).toBe(4_000_000);
  expect(model.balanceMicros.peek()).toBe(server.balance);
  expect(model.canSpin.peek()).toBe(true);
});
