import { expect, it } from 'vitest';
import type { BookEvent, LineWin } from '../../rules.ts';
import type { Clock } from './ports.ts';
import { freeSpinsBook, plainBook } from './testing/books.ts';
import { createVirtualClock } from './testing/fakePorts.ts';
import { atRest, enterTestGame, type TestGame } from './testing/testGame.ts';

const AUTOPLAY = { spins: 1, lossLimitMicros: undefined, singleWinLimitMicros: undefined, stopOnFreeSpins: false };

/** Returns a book that pays on these lines, the hundredths of the base bet that each brings. */
function bookOfLines(...paid: readonly (readonly [line: number, hundredths: number])[]): BookEvent[] {
  const total = paid.reduce((sum, [, hundredths]) => sum + hundredths, 0);
  const wins = paid.map(
    ([line, win]): LineWin => ({ line, symbol: 'H1', count: 3, win, multiplier: 1, positions: [] }),
  );
  return plainBook(total).map((event) => (event.type === 'winInfo' ? { ...event, wins } : event));
}

/** Lets this much of the game's time pass. Every timer that is due by then has run. */
function aMinute(clock: Clock): Promise<void> {
  return new Promise((resolve) => clock.after(60_000, resolve));
}

/** Plays the book and waits for this many lines after it; 0 resolves when the round is over. */
async function playAndRest(game: TestGame, book: BookEvent[], lines: number): Promise<void> {
  const { stage, server, actions, model } = game;
  server.books.push(book);
  const shown = new Promise<void>((resolve) => {
    stage.onCall = () => {
      if (stage.shownLines.length >= lines) resolve();
    };
  });
  actions.spin();
  await atRest(model);
  await shown;
}

it('the lines that have paid are shown in turn, again and again', async () => {
  const game = await enterTestGame();
  await playAndRest(game, bookOfLines([3, 200], [7, 50]), 5);
  const [first, second] = [
    { line: 3, amount: '€2.00' },
    { line: 7, amount: '€0.50' },
  ];
  expect(game.stage.shownLines).toEqual([first, second, first, second, first]);
});

it.each<[string, (game: TestGame) => void]>([
  ['a spin', ({ actions }) => actions.spin()],
  ['a dialog', ({ actions }) => actions.openDialog('info')],
  ['another bet', ({ actions }) => actions.raiseBet()],
])('%s ends it, and takes the line away', async (_, begin) => {
  const clock = createVirtualClock();
  const game = await enterTestGame({ clock });
  const { stage, model } = game;
  await playAndRest(game, bookOfLines([3, 200], [7, 50]), 3);
  const before = stage.calls.length;
  begin(game);
  expect(stage.calls[before]).toBe('clearWins');
  const shown = stage.shownLines.length;
  await atRest(model);
  await aMinute(clock);
  expect(stage.shownLines).toHaveLength(shown);
});

it('goes on after the dialog', async () => {
  const game = await enterTestGame();
  const { stage, actions } = game;
  await playAndRest(game, bookOfLines([3, 200]), 1);
  actions.openDialog('menu');
  const again = new Promise<void>((resolve) => {
    stage.onCall = (name) => name === 'showLine' && resolve();
  });
  actions.closeDialog();
  await again;
  expect(stage.shownLines).toHaveLength(2);
});

it('a single line is shown once and stays', async () => {
  const clock = createVirtualClock();
  const game = await enterTestGame({ clock });
  await playAndRest(game, bookOfLines([3, 200]), 1);
  await aMinute(clock);
  expect(game.stage.shownLines).toHaveLength(1);
});

it('after free spins no line is shown: they are those of the last spin only', async () => {
  const clock = createVirtualClock();
  const game = await enterTestGame({ clock });
  await playAndRest(game, freeSpinsBook(100, 200), 0);
  await aMinute(clock);
  expect(game.stage.shownLines).toEqual([]);
});

it('a press on a symbol shows what it pays, and the next press closes it or shows another', async () => {
  const { model, actions, stage } = await enterTestGame();
  actions.pressPicture({ x: 1, y: 2 });
  expect(model.payBubble.peek()).toMatchObject({ symbol: stage.board?.[1]?.[2], reel: 1, row: 2 });
  actions.pressPicture({ x: 4, y: 0 });
  expect(model.payBubble.peek()).toMatchObject({ symbol: stage.board?.[4]?.[0], reel: 4, row: 0 });
  actions.pressPicture({ x: 4, y: 0 });
  expect(model.payBubble.peek()).toBeUndefined();
  actions.pressPicture({ x: 4, y: 0 });
  actions.pressPicture(undefined);
  expect(model.payBubble.peek()).toBeUndefined();
});

it.each<[string, (game: TestGame) => void]>([
  ['a spin', ({ actions }) => actions.spin()],
  ['a dialog', ({ actions }) => actions.openDialog('info')],
  ['another bet', ({ page }) => page.press('raiseBet')],
  [
    'autoplay',
    ({ actions }) => {
      actions.openDialog('autoplay');
      actions.askAutoplay(AUTOPLAY);
      actions.startAutoplay(AUTOPLAY);
    },
  ],
])('%s closes the bubble, and keeps it closed', async (name, begin) => {
  const game = await enterTestGame();
  const { model, actions, stage } = game;
  stage.isHolding = true;
  actions.pressPicture({ x: 0, y: 0 });
  begin(game);
  expect(model.payBubble.peek()).toBeUndefined();
  actions.pressPicture({ x: 0, y: 0 });
  if (name !== 'another bet') expect(model.payBubble.peek()).toBeUndefined();
});
