import {
  type Board,
  type BookEvent,
  type BookEventBody,
  LINES,
  type LineWin,
  PAYTABLE,
  type Position,
} from '../rules.ts';

const CAP = 500_000;
const SPINS: Record<number, number> = { 3: 10, 4: 12, 5: 15 };

/**
 * Returns all events of a book, computed from its boards by the rules of the rules page. It shares
 * no code with the generator. Amounts are hundredths of the base bet. It throws when there are
 * fewer or more boards than the round has spins.
 */
export function eventsByHand([first, ...others]: readonly Board[]): BookEvent[] {
  if (first === undefined) throw new Error('the book shows no board');
  const lines = linesByHand(first, 1);
  const basePay = lines.reduce((sum, { win }) => sum + win, 0);
  const events: BookEventBody[] = [{ type: 'reveal', spin: 'basegame', board: first, anticipation: awaited(first) }];
  if (basePay > 0)
    events.push({ type: 'winInfo', totalWin: basePay, wins: lines }, { type: 'setWin', amount: basePay });
  let total = basePay;
  const totalSpins = SPINS[cells(first, 'S').length];
  if (totalSpins !== undefined) {
    if (basePay > 0) events.push({ type: 'setTotalWin', amount: basePay });
    events.push({ type: 'freeSpinTrigger', totalSpins, positions: cells(first, 'S') });
    total = freeSpinsByHand(events, others, { total, totalSpins });
    events.push({ type: 'freeSpinEnd', amount: total - basePay });
  } else if (others.length > 0) throw new Error('free spins without three scatters');
  events.push({ type: 'finalWin', amount: total });
  return events.map((event, index) => ({ index, ...event }));
}

function freeSpinsByHand(
  events: BookEventBody[],
  boards: readonly Board[],
  { total, totalSpins }: { total: number; totalSpins: number },
): number {
  let [paid, planned, multiplier] = [total, totalSpins, 1];
  for (const [place, board] of boards.entries()) {
    if (place === planned || paid === CAP) throw new Error('a free spin too many');
    events.push({ type: 'updateFreeSpin', spin: place + 1, totalSpins: planned });
    events.push({ type: 'reveal', spin: 'freegame', board, anticipation: awaited(board) });
    const wilds = cells(board, 'W');
    multiplier = Math.min(20, multiplier + wilds.length);
    if (wilds.length > 0) events.push({ type: 'updateMultiplier', multiplier, positions: wilds });
    const wins = linesByHand(board, multiplier);
    const pay = Math.min(
      CAP - paid,
      wins.reduce((sum, { win }) => sum + win, 0),
    );
    paid += pay;
    if (pay > 0) {
      events.push({ type: 'winInfo', totalWin: pay, wins }, { type: 'setWin', amount: pay });
      events.push({ type: 'setTotalWin', amount: paid });
    }
    const scatters = cells(board, 'S');
    const addedSpins = Math.min(5, 50 - planned);
    if (paid === CAP) events.push({ type: 'winCap', amount: CAP });
    else if (scatters.length >= 3 && addedSpins > 0) {
      planned += addedSpins;
      events.push({ type: 'freeSpinRetrigger', addedSpins, totalSpins: planned, positions: scatters });
    }
  }
  if (boards.length < planned && paid < CAP) throw new Error('a free spin is missing');
  return paid;
}

/**
 * A reel has anticipation when two or more scatters lie to the left of it: every reel of the game
 * holds one.
 */
function awaited(board: Board): boolean[] {
  return board.map((_, reel) => cells(board, 'S').filter((position) => position.reel < reel).length >= 2);
}

function cells(board: Board, wanted: string): Position[] {
  return [0, 1, 2, 3, 4].flatMap((reel) =>
    [0, 1, 2].flatMap((row) => (board[reel]?.[row] === wanted ? [{ reel, row }] : [])),
  );
}

type Paying = keyof typeof PAYTABLE;
type Claim = { symbol: Paying; count: number; pay: number };

/**
 * Reads every line in every way and keeps the best: slow, and shares no code with the generator.
 */
export function linesByHand(board: Board, multiplier: number): LineWin[] {
  const wins: LineWin[] = [];
  for (const [place, rows] of LINES.entries()) {
    const symbols = rows.map((row, reel) => String(board[reel]?.[row]));
    const [best] = claimsOn(symbols).sort((a, b) => b.pay - a.pay || b.count - a.count);
    if (best === undefined) continue;
    const positions = [0, 1, 2, 3, 4].slice(0, best.count).map((reel) => ({ reel, row: Number(rows[reel]) }));
    const { symbol, count } = best;
    wins.push({ line: place + 1, symbol, count, win: best.pay * multiplier, multiplier, positions });
  }
  return wins.sort((a, b) => b.win - a.win || a.line - b.line);
}

function claimsOn(symbols: readonly string[]): Claim[] {
  const claims: Claim[] = [];
  for (const [symbol, pays] of Object.entries(PAYTABLE) as [Paying, readonly number[]][]) {
    for (const count of [3, 4, 5]) {
      const run = symbols.slice(0, count);
      const pay = pays[count - 3];
      if (pay !== undefined && run.every((shown) => shown === symbol || shown === 'W'))
        claims.push({ symbol, count, pay });
    }
  }
  return claims;
}
