import type { Board, BookEvent } from '../../rules.ts';
import { symbolName, type Texts } from '../texts/texts.ts';

/** The board for a player who has not played yet: one of each symbol, and nothing that pays. */
export const FIRST_BOARD: Board = [
  ['H1', 'L3', 'W'],
  ['L2', 'S', 'H3'],
  ['H2', 'L1', 'L4'],
  ['L5', 'W', 'H4'],
  ['S', 'H1', 'L2'],
];

/**
 * The board that a round left on the screen. The events are checked, because they come from the
 * server as they were published.
 */
export function lastBoardOf(events: readonly unknown[]): Board | undefined {
  const reveal = (events as readonly Partial<BookEvent>[]).findLast((event) => event?.type === 'reveal');
  return reveal?.type === 'reveal' ? reveal.board : undefined;
}

/** The board in words, reel by reel from the left. */
export function boardInWords(board: Board, texts: Texts): string {
  return board
    .map((symbols, reel) => {
      const names = symbols.map((symbol) => symbolName(symbol, texts));
      return texts.t('sayReel', { reel: reel + 1, symbols: names.join(', ') });
    })
    .join('. ');
}
