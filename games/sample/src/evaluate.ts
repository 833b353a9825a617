import { LINES, PAY_HUNDREDTHS, type SymbolName } from './paytable.ts';
import type { Board } from './reels.ts';

export type Position = {
  reel: number;
  row: number;
};

export type LineWin = {
  symbol: SymbolName;
  kind: number;
  win: number;
  positions: Position[];
  meta: { lineIndex: number; multiplier: number; winWithoutMult: number };
};

/**
 * Returns all lines of a board that pay, in the order of the lines, each win multiplied. Amounts
 * are hundredths of the bet.
 */
export function lineWins(board: Board, multiplier: number): LineWin[] {
  return LINES.flatMap((rows, line) => {
    const positions = rows.map((row, reel) => ({ reel, row }));
    const symbol = payingSymbol(positions.map((position) => symbolAt(board, position)));
    if (symbol === null) return [];
    const winWithoutMult = PAY_HUNDREDTHS[symbol];
    const meta = { lineIndex: line + 1, multiplier, winWithoutMult };
    return [{ symbol, kind: positions.length, win: winWithoutMult * multiplier, positions, meta }];
  });
}

export function totalOf(wins: readonly LineWin[]): number {
  return wins.reduce((sum, { win }) => sum + win, 0);
}

export function scatterPositions(board: Board): Position[] {
  return board.flatMap((symbols, reel) => symbols.flatMap((symbol, row) => (symbol === 'S' ? [{ reel, row }] : [])));
}

/**
 * Wilds stand for the one other symbol of the line; three wilds pay as themselves. A scatter never
 * pays on a line.
 */
function payingSymbol(line: readonly SymbolName[]): SymbolName | null {
  const named = line.filter((symbol) => symbol !== 'W');
  const symbol = named[0] ?? 'W';
  return symbol !== 'S' && named.every((other) => other === symbol) ? symbol : null;
}

function symbolAt(board: Board, { reel, row }: Position): SymbolName {
  const symbol = board[reel]?.[row];
  if (symbol === undefined) throw new RangeError(`no symbol on reel ${reel}, row ${row}`);
  return symbol;
}
