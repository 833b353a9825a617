import { type Board, type Cell, type ClusterWin, PAYTABLE, SIZES, type SymbolCode } from './rules.ts';

/** Returns the cells that adjoin a cell along its sides. */
const SIDES = [
  [1, 0],
  [-1, 0],
  [0, 1],
  [0, -1],
] as const;

/** Returns the clusters that pay, with what they pay at this multiplier. */
export function clusterWins(board: Board, multiplier: number): ClusterWin[] {
  const wins: ClusterWin[] = [];
  for (const cells of clustersOf(board)) {
    const [column, row] = cells[0] as Cell;
    const symbol = board[column]?.[row] as SymbolCode;
    const pay = payOf(symbol, cells.length);
    if (pay > 0) wins.push({ symbol, cells, win: pay * multiplier });
  }
  return wins;
}

/** Returns hundredths of the bet; 0 for a cluster that is too small. */
export function payOf(symbol: SymbolCode, size: number): number {
  const place = SIZES.findLastIndex((from) => size >= from);
  return PAYTABLE[symbol][place] ?? 0;
}

/** Returns all cells of the board, those of one symbol together that adjoin. */
function clustersOf(board: Board): Cell[][] {
  const seen = board.map((column) => column.map(() => false));
  const gather = (cells: Cell[], symbol: SymbolCode, column: number, row: number): Cell[] => {
    const rows = seen[column];
    if (rows?.[row] !== false || board[column]?.[row] !== symbol) return cells;
    rows[row] = true;
    cells.push([column, row]);
    for (const [right, down] of SIDES) gather(cells, symbol, column + right, row + down);
    return cells;
  };
  const clusters = board.flatMap((symbols, column) => symbols.map((symbol, row) => gather([], symbol, column, row)));
  return clusters.filter(({ length }) => length > 0);
}

/**
 * Returns the board after the cells have vanished: the rest falls down, the fresh symbols fall in
 * above.
 */
export function tumble(board: Board, gone: readonly Cell[], fresh: Board): Board {
  return board.map((symbols, column) => {
    const kept = symbols.filter((_, row) => !gone.some((cell) => cell[0] === column && cell[1] === row));
    return [...(fresh[column] ?? []), ...kept];
  });
}
