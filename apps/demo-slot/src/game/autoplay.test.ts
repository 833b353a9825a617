import { computed } from '@preact/signals-core';
import fc from 'fast-check';
import { expect, it, vi } from 'vitest';
import type { AutoplaySettings } from './model.ts';
import { until } from './store.ts';
import { anyBook, freeSpinsBook, payoutOf, plainBook } from './testing/books.ts';
import { atRest, enterTestGame, type TestGame, type TestGameOptions } from './testing/testGame.ts';

const NO_LIMITS: AutoplaySettings = {
  spins: 10,
  lossLimitMicros: undefined,
  singleWinLimitMicros: undefined,
  stopOnFreeSpins: false,
};

function begin({ actions }: TestGame, settings: Partial<AutoplaySettings>): void {
  actions.openDialog('autoplay');
  actions.askAutoplay({ ...NO_LIMITS, ...settings });
  actions.startAutoplay({ ...NO_LIMITS, ...settings });
}

async function autoplayed(settings: Partial<AutoplaySettings>, options: TestGameOptions = {}): Promise<TestGame> {
  const game = await enterTestGame(options);
  begin(game, settings);
  return game;
}

it('begins only when it has been confirmed', async () => {
  const { model, actions, server } = await enterTestGame();
  actions.startAutoplay(NO_LIMITS);
  actions.openDialog('autoplay');
  actions.startAutoplay(NO_LIMITS);
  expect(model.autoplay.peek()).toBeUndefined();
  actions.askAutoplay(NO_LIMITS);
  expect(model.dialog.peek()).toEqual({ kind: 'autoplayConfirm', settings: NO_LIMITS });
  expect(server.count('play')).toBe(0);
});

it('stops for good when another tab takes the session, which also gets the round that is running', async () => {
  const game = await enterTestGame();
  const { model, server, page, actions, audio } = game;
  server.books.push(freeSpinsBook(100));
  begin(game, {});
  await until(computed(() => model.phase.value === 'presenting'));
  page.takeSession();
  const isOver = () => expect(audio.cues).toContain('error');
  await vi.waitFor(isOver, { timeout: 100_000 });
  expect([server.count('play'), server.count('end-round'), server.round?.active]).toEqual([1, 0, true]);
  expect(model.dialog.peek()).toMatchObject({ kind: 'failure', failure: 'otherTab', remedy: 'playHere' });
  expect([model.autoplay.peek(), model.phase.peek(), audio.muted]).toEqual([undefined, 'blocked', true]);
  actions.remedy();
  expect(page.reloads).toBe(1);
});

it('begins without a loss limit only where none is required', async () => {
  const { model, actions } = await enterTestGame({ jurisdiction: { requireAutoplayLossLimit: true } });
  actions.openDialog('autoplay');
  actions.askAutoplay(NO_LIMITS);
  expect(model.dialog.peek()?.kind).toBe('autoplay');
  actions.askAutoplay({ ...NO_LIMITS, lossLimitMicros: 10_000_000 });
  expect(model.dialog.peek()?.kind).toBe('autoplayConfirm');
});

it('begins with no more rounds than the jurisdiction allows', async () => {
  const { model, actions } = await enterTestGame({ jurisdiction: { maximumAutoplayRounds: 25 } });
  actions.openDialog('autoplay');
  actions.askAutoplay({ ...NO_LIMITS, spins: 26 });
  expect(model.dialog.peek()?.kind).toBe('autoplay');
  actions.askAutoplay({ ...NO_LIMITS, spins: 25 });
  expect(model.dialog.peek()?.kind).toBe('autoplayConfirm');
  actions.startAutoplay({ ...NO_LIMITS, spins: 26 });
  expect(model.autoplay.peek()).toBeUndefined();
  actions.startAutoplay({ ...NO_LIMITS, spins: 25 });
  expect(model.autoplay.peek()?.spins).toBe(25);
});

it('plays as many spins as were asked for, and counts them down', async () => {
  const game = await enterTestGame();
  const left: (number | undefined)[] = [];
  game.stage.onCall = (name) => {
    if (name === 'startReels') left.push(game.model.autoplay.peek()?.remaining);
  };
  begin(game, { spins: 4 });
  expect(game.model.canChangeBet.peek()).toBe(false);
  expect(game.model.canSpin.peek()).toBe(false);
  await atRest(game.model);
  expect(left).toEqual([3, 2, 1, 0]);
  expect(game.server.count('play')).toBe(4);
  expect(game.model.dialog.peek()).toBeUndefined();
});

it('stops at the loss limit and says so', async () => {
  const { model, server } = await autoplayed({ lossLimitMicros: 3_000_000 });
  await atRest(model);
  expect(server.count('play')).toBe(3);
  expect(model.autoplay.peek()).toBeUndefined();
  expect(model.dialog.peek()).toEqual({ kind: 'notice', reason: 'autoplayStopped', why: 'lossLimit' });
});

it('stops after a single win', async () => {
  const game = await enterTestGame();
  game.server.books.push(plainBook(0), plainBook(900));
  begin(game, { singleWinLimitMicros: 9_000_000 });
  await atRest(game.model);
  expect(game.server.count('play')).toBe(2);
  expect(game.model.dialog.peek()).toMatchObject({ why: 'singleWinLimit' });
});

it.each([
  [true, 1],
  [false, 3],
])('with stopOnFreeSpins %s it has played %i spins', async (stopOnFreeSpins, plays) => {
  const game = await enterTestGame();
  game.server.books.push(freeSpinsBook(100));
  begin(game, { spins: 3, stopOnFreeSpins });
  await atRest(game.model);
  expect(game.server.count('play')).toBe(plays);
});

it('stops when something fails, and does not restart automatically', async () => {
  const game = await enterTestGame();
  game.server.fail('play', 'ERR_GEN');
  begin(game, {});
  await atRest(game.model);
  expect(game.model.autoplay.peek()).toBeUndefined();
  game.actions.remedy();
  await atRest(game.model);
  expect(game.server.count('play')).toBe(1);
});

it.each<[string, (game: TestGame) => void]>([
  ['with the button', ({ actions }) => actions.stopAutoplay()],
  ['with Escape', ({ page }) => page.press('stopAutoplay')],
])('stops after the running round when the player wants it, %s', async (_, stop) => {
  const game = await enterTestGame();
  game.stage.onCall = (name) => {
    if (name === 'stopReels') stop(game);
  };
  begin(game, {});
  await atRest(game.model);
  expect(game.server.count('play')).toBe(1);
  expect(game.model.dialog.peek()).toBeUndefined();
});

it('waits while the player reads a dialog', async () => {
  const game = await enterTestGame();
  game.stage.onCall = (name) => {
    if (name === 'stopReels') game.actions.openDialog('info');
  };
  begin(game, { spins: 2 });
  await new Promise((resolve) => setTimeout(resolve, 60));
  expect(game.server.count('play')).toBe(1);
  expect(game.model.autoplay.peek()?.remaining).toBe(1);
  game.stage.onCall = () => {};
  game.actions.closeDialog();
  await atRest(game.model);
  expect(game.server.count('play')).toBe(2);
});

it('is not offered where it is forbidden', async () => {
  const { model, server } = await autoplayed({}, { jurisdiction: { disabledAutoplay: true } });
  expect(model.dialog.peek()).toBeUndefined();
  expect(model.autoplay.peek()).toBeUndefined();
  expect(server.count('play')).toBe(0);
});

it('never loses more than its limit', async () => {
  const books = fc.array(anyBook, { minLength: 1, maxLength: 12 });
  const limits = fc.integer({ min: 0, max: 80 }).map((tenths) => tenths * 100_000);
  await fc.assert(
    fc.asyncProperty(books, limits, fc.boolean(), async (drawn, lossLimitMicros, isAnte) => {
      const game = await enterTestGame();
      game.server.books.push(...drawn.map((book) => [...book]));
      game.actions.setAnte(isAnte);
      begin(game, { spins: drawn.length, lossLimitMicros });
      await atRest(game.model);
      expect(game.model.autoplay.peek()).toBeUndefined();
      expect(1_000_000_000 - game.server.balance).toBeLessThanOrEqual(lossLimitMicros);
      const played = drawn.slice(0, game.server.count('play'));
      const paidMicros = played.reduce((sum, book) => sum + payoutOf(book) * 10_000, 0);
      const stakeMicros = isAnte ? 1_250_000 : 1_000_000;
      expect(game.server.balance).toBe(1_000_000_000 - played.length * stakeMicros + paidMicros);
      expect(game.model.balanceMicros.peek()).toBe(game.server.balance);
      expect(game.model.netPositionMicros.peek()).toBe(paidMicros - played.length * stakeMicros);
    }),
    { numRuns: 25 },
  );
});
