import { type Board, type Cell, type ClusterWin, COLUMNS, PAYTABLE, ROWS, SIZES, type SymbolCode } from './rules.ts';

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

/** Returns the cells of each symbol that adjoin. A simulation spends most of its time here. */
function clustersOf(board: Board): Cell[][] {
  const seen = board.map((column) => column.map(() => false));
  const gather = (cells: Cell[], symbol: SymbolCode, column: number, row: number): void => {
    const rows = seen[column];
    if (rows?.[row] !== false || board[column]?.[row] !== symbol) return;
    rows[row] = true;
    cells.push([column, row]);
    gather(cells, symbol, column + 1, row);
    gather(cells, symbol, column - 1, row);
    gather(cells, symbol, column, row + 1);
    gather(cells, symbol, column, row - 1);
  };
  const clusters: Cell[][] = [];
  for (let column = 0; column < COLUMNS; column += 1) {
    for (let row = 0; row < ROWS; row += 1) {
      if (seen[column]?.[row] !== false) continue;
      const cells: Cell[] = [];
      gather(cells, board[column]?.[row] as SymbolCode, column, row);
      clusters.push(cells);
    }
  }
  return clusters;
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
