import type { SeededRandom } from '@roundhouse/math';
import { spinReels } from './reels.ts';
import { type Board, type BookEvent, LINES, type LineWin, PAYTABLE, WILD_MULTIPLIER, WIN_CAP } from './rules.ts';

export type PlayedRound = { payoutMultiplier: number; events: BookEvent[] };

/**
 * Plays one round. The same random numbers give the same round, so that a book can be made again.
 */
export function simulate(random: SeededRandom): PlayedRound {
  const board = spinReels(random);
  const wins = lineWins(board);
  const amount = Math.min(
    wins.reduce((sum, { win }) => sum + win, 0),
    WIN_CAP,
  );
  const events: BookEvent[] = [{ index: 0, type: 'reveal', board }];
  if (amount > 0) events.push({ index: events.length, type: 'winInfo', wins });
  events.push({ index: events.length, type: 'finalWin', amount });
  return { payoutMultiplier: amount, events };
}

export function lineWins(board: Board): LineWin[] {
  return LINES.flatMap((rows, line) => {
    const shown = rows.map((row, reel) => board[reel]?.[row]);
    // The first reel has no wild, so it decides which symbol may win.
    const symbol = shown[0];
    if (symbol === undefined || symbol === 'W') return [];
    const end = shown.findIndex((each) => each !== symbol && each !== 'W');
    const count = end < 0 ? shown.length : end;
    const pay = PAYTABLE[symbol][count - 3];
    if (pay === undefined) return [];
    const wilds = shown.slice(0, count).filter((each) => each === 'W').length;
    const multiplier = WILD_MULTIPLIER ** wilds;
    return [{ line, symbol, count, multiplier, win: pay * multiplier }];
  });
}
