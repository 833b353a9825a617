import { type Board, LINES, type LineWin, PAYTABLE, type Position, REELS, type SymbolCode } from '../rules.ts';

type Rows = readonly number[];
type Run = { symbol: Exclude<SymbolCode, 'S'>; count: number; pay: number };

const SHORTEST_RUN = 3;

/** It is reused for every line: the generator looks at millions of boards. */
const run: Run = { symbol: 'W', count: 0, pay: 0 };

/** Returns what all lines of a board pay, in hundredths of the base bet, before any multiplier. */
export function linesPay(board: Board): number {
  let total = 0;
  for (const rows of LINES) total += bestRun(board, rows).pay;
  return total;
}

/** Returns the lines of a board that pay, the best first, lines of equal pay in their own order. */
export function lineWins(board: Board, multiplier: number): LineWin[] {
  const wins = LINES.flatMap((rows, line) => {
    const { symbol, count, pay } = bestRun(board, rows);
    if (pay === 0) return [];
    const positions = rows.slice(0, count).map((row, reel) => ({ reel, row }));
    return [{ line: line + 1, symbol, count, win: pay * multiplier, multiplier, positions }];
  });
  return wins.sort((a, b) => b.win - a.win || a.line - b.line);
}

export function positionsOf(board: Board, wanted: SymbolCode): Position[] {
  return board.flatMap((window, reel) => window.flatMap((symbol, row) => (symbol === wanted ? [{ reel, row }] : [])));
}

export function countOf(board: Board, wanted: SymbolCode): number {
  let count = 0;
  for (const window of board) for (const symbol of window) if (symbol === wanted) count++;
  return count;
}

/**
 * Returns the run from the left that pays most: of the line's first symbol, wilds standing for it,
 * or of wilds alone.
 */
function bestRun(board: Board, rows: Rows): Run {
  let symbol: SymbolCode = 'W';
  let wilds = 0;
  let count = 0;
  for (; count < REELS; count++) {
    const here = board[count]?.[rows[count] as number] as SymbolCode;
    if (symbol === 'W' && here !== 'S') {
      symbol = here;
      if (here === 'W') wilds++;
    } else if (here !== symbol && here !== 'W') break;
  }
  run.pay = 0;
  if (count < SHORTEST_RUN) return run;
  run.symbol = symbol as Run['symbol'];
  run.count = count;
  run.pay = payOf(run.symbol, count);
  const wildPay = payOf('W', wilds);
  if (wildPay > run.pay) {
    run.symbol = 'W';
    run.count = wilds;
    run.pay = wildPay;
  }
  return run;
}

function payOf(symbol: Run['symbol'], count: number): number {
  return count < SHORTEST_RUN ? 0 : (PAYTABLE[symbol][count - SHORTEST_RUN] as number);
}
