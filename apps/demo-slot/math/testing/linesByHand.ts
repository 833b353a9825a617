import type { LineWin } from '../../rules/bookEvents.ts';
import { LINES } from '../../rules/lines.ts';
import { PAYTABLE } from '../../rules/paytable.ts';
import type { Board } from '../../rules/symbols.ts';

type Paying = keyof typeof PAYTABLE;
type Claim = { symbol: Paying; count: number; pay: number };

/**
 * Reads every line in every way and keeps the best: slow, and shares no code with the generator.
 */
export function linesByHand(board: Board, multiplier: number): LineWin[] {
  const wins: LineWin[] = [];
  for (const [place, rows] of LINES.entries()) {
    const cells = rows.map((row, reel) => String(board[reel]?.[row]));
    const [best] = claimsOn(cells).sort((a, b) => b.pay - a.pay || b.count - a.count);
    if (best === undefined) continue;
    const positions = [0, 1, 2, 3, 4].slice(0, best.count).map((reel) => ({ reel, row: Number(rows[reel]) }));
    const { symbol, count } = best;
    wins.push({ line: place + 1, symbol, count, win: best.pay * multiplier, multiplier, positions });
  }
  return wins.sort((a, b) => b.win - a.win || a.line - b.line);
}

function claimsOn(cells: readonly string[]): Claim[] {
  const claims: Claim[] = [];
  for (const [symbol, pays] of Object.entries(PAYTABLE) as [Paying, readonly number[]][]) {
    for (const count of [3, 4, 5]) {
      const run = cells.slice(0, count);
      const pay = pays[count - 3];
      if (pay !== undefined && run.every((cell) => cell === symbol || cell === 'W'))
        claims.push({ symbol, count, pay });
    }
  }
  return claims;
}
