import type { SeededRandom } from '@roundhouse/math';
import { clusterWins, tumble } from './clusters.ts';
import { type Board, type BookEvent, COLUMNS, FALLING, MULTIPLIERS, ROWS, type SymbolCode, WIN_CAP } from './rules.ts';

export type PlayedRound = { payoutMultiplier: number; events: BookEvent[] };

/** How often each symbol falls, compared with the others. */
const SHARES: Record<SymbolCode, number> = { H1: 8, H2: 10, H3: 12, L1: 15, L2: 17, L3: 18, L4: 20 };

/** The round draws from these: each symbol of a mode is in it as often as its share. */
const BAGS = new Map(
  Object.entries(FALLING).map(([mode, symbols]) => {
    return [mode, symbols.flatMap((symbol) => Array<SymbolCode>(SHARES[symbol]).fill(symbol))];
  }),
);

/**
 * Plays one round. The same random numbers give the same round, so that a book can be made again.
 */
export function simulate(random: SeededRandom, mode: string): PlayedRound {
  const bag = BAGS.get(mode);
  if (bag === undefined) throw new RangeError(`math/rules.ts: there is no mode ${mode}`);
  const draw = (count: number) => Array.from({ length: count }, () => bag[random.below(bag.length)] as SymbolCode);
  let board: Board = Array.from({ length: COLUMNS }, () => draw(ROWS));
  const events: BookEvent[] = [{ index: 0, type: 'reveal', board }];
  let amount = 0;
  for (let tumbles = 0; amount < WIN_CAP; tumbles += 1) {
    const multiplier = MULTIPLIERS[Math.min(tumbles, MULTIPLIERS.length - 1)] as number;
    const wins = clusterWins(board, multiplier);
    if (wins.length === 0) break;
    const gone = wins.flatMap(({ cells }) => cells);
    const fresh = board.map((_, column) => draw(gone.filter((cell) => cell[0] === column).length));
    events.push({ index: events.length, type: 'tumble', multiplier, wins, fresh });
    amount = Math.min(
      WIN_CAP,
      wins.reduce((sum, { win }) => sum + win, amount),
    );
    board = tumble(board, gone, fresh);
  }
  events.push({ index: events.length, type: 'finalWin', amount });
  return { payoutMultiplier: amount, events };
}
