import type { BookEvent } from '../../rules/bookEvents.ts';
import type { Board } from '../../rules/symbols.ts';

/** What is shown to a player who has not played yet: one of each kind to look at, and nothing that pays. */
export const FIRST_BOARD: Board = [
  ['H1', 'L3', 'W'],
  ['L2', 'S', 'H3'],
  ['H2', 'L1', 'L4'],
  ['L5', 'W', 'H4'],
  ['S', 'H1', 'L2'],
];

/** The board that a round left on the screen. Its events come from the server as they were published, so nothing is taken for granted. */
export function lastBoardOf(events: readonly unknown[]): Board | undefined {
  const reveal = (events as readonly Partial<BookEvent>[]).findLast((event) => event?.type === 'reveal');
  return reveal?.type === 'reveal' ? reveal.board : undefined;
}
