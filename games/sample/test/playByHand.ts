import { type ReadmeRules, readmeRules } from './readmeRules.ts';

const CAP = 100_000;
const SPINS = 10;

type Event = { type: string; [field: string]: unknown };

/**
 * Returns all events of a book, computed from its stops by the rules in the README. It shares no
 * code with the generator. Amounts are hundredths of the bet.
 */
export function eventsByHand(
  stopsOfSpins: readonly (readonly number[])[],
  rules: ReadmeRules = readmeRules(),
): Event[] {
  const [first = [], ...others] = stopsOfSpins;
  const base = spinByHand(rules, { reels: 'basegame', stops: first, times: 1 });
  let total = base.win;
  const events = [...base.events, { type: 'setTotalWin', amount: total }];
  const scatters = cellsOf(base.board).filter(({ symbol }) => symbol === 'S');
  if (scatters.length === 3) {
    const positions = scatters.map(({ reel, row }) => ({ reel, row }));
    events.push({ type: 'freeSpinTrigger', totalFs: SPINS, positions });
    let times = 1;
    for (const [place, stops] of others.entries()) {
      const free = spinByHand(rules, { reels: 'freegame', stops, times });
      const capped = total + free.win >= CAP;
      total = capped ? CAP : total + free.win;
      events.push({ type: 'updateFreeSpin', amount: place + 1, total: SPINS }, ...free.events);
      if (capped) events.push({ type: 'wincap', amount: CAP });
      events.push({ type: 'setTotalWin', amount: total });
      const isLast = capped || place + 1 === SPINS;
      if (isLast) break;
      if (free.win > 0) events.push({ type: 'updateGlobalMult', globalMult: ++times });
    }
    events.push({ type: 'freeSpinEnd', amount: total - base.win });
  }
  events.push({ type: 'finalWin', amount: total });
  return events.map((event, index) => ({ index, ...event }));
}

function spinByHand(
  rules: ReadmeRules,
  { reels, stops, times }: { reels: 'basegame' | 'freegame'; stops: readonly number[]; times: number },
): { board: string[][]; events: Event[]; win: number } {
  const board = rules.reels[reels].map((strip, reel) =>
    [...strip, ...strip].slice(Number(stops[reel]), Number(stops[reel]) + 3),
  );
  const wins = [];
  for (const [line, rows] of rules.lines.entries()) {
    const shown = new Set(rows.map((row, reel) => String(board[reel]?.[row])));
    if (shown.size > 1) shown.delete('W');
    const [symbol = ''] = shown;
    const pay = shown.size === 1 ? (rules.pays.get(symbol) ?? 0) : 0;
    if (pay === 0) continue;
    const positions = rows.map((row, reel) => ({ reel, row }));
    const meta = { lineIndex: line + 1, multiplier: times, winWithoutMult: pay };
    wins.push({ symbol, kind: 3, win: pay * times, positions, meta });
  }
  const win = wins.reduce((sum, line) => sum + line.win, 0);
  const named = board.map((strip) => strip.map((name) => ({ name })));
  const events: Event[] = [{ type: 'reveal', board: named, stops, gameType: reels }];
  if (win > 0) events.push({ type: 'winInfo', totalWin: win, wins }, { type: 'setWin', amount: win });
  return { board, events, win };
}

function cellsOf(board: string[][]): { symbol: string; reel: number; row: number }[] {
  return board.flatMap((strip, reel) => strip.map((symbol, row) => ({ symbol, reel, row })));
}
