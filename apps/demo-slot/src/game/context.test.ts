import { expect, it } from 'vitest';
import { LINES } from '../../rules.ts';
import { FIRST_BOARD, lastBoardOf } from './context.ts';
import { freeSpinsBook } from './testing/books.ts';

it('begins with a board on which no line pays', () => {
  for (const rows of LINES) {
    const [first, second, third] = rows.map((row, reel) => FIRST_BOARD[reel]?.[row]);
    const kinds = new Set([first, second, third].filter((symbol) => symbol !== 'W'));
    const isThreeOfAKind = kinds.size <= 1 && !kinds.has('S');
    expect(isThreeOfAKind, `line ${rows}`).toBe(false);
  }
});

it('begins with a board that would not have started free spins', () => {
  expect(FIRST_BOARD.flat().filter((symbol) => symbol === 'S').length).toBeLessThan(3);
});

it('finds the last board of a round, and none in unknown events', () => {
  const book = freeSpinsBook(100, 200);
  const last = book.filter((event) => event.type === 'reveal').at(-1);
  expect(lastBoardOf(book)).toEqual(last?.board);
  expect(lastBoardOf([null, 7, { type: 'reveal' }])).toBeUndefined();
});
