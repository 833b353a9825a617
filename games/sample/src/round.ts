import type { SeededRandom } from '@roundhouse/math';
import { type LineWin, lineWins, type Position, scatterPositions, totalOf } from './evaluate.ts';
import { FREE_SPINS, type SymbolName, WIN_CAP_HUNDREDTHS } from './paytable.ts';
import { BASE_STRIPS, type Board, boardAt, FREE_STRIPS, type Stops, spin } from './reels.ts';

/** Every amount is in hundredths of the base bet, as `payoutMultiplier` is. */
type EventBody =
  | { type: 'reveal'; board: { name: SymbolName }[][]; stops: Stops; gameType: 'basegame' | 'freegame' }
  | { type: 'winInfo'; totalWin: number; wins: LineWin[] }
  | { type: 'setWin'; amount: number }
  | { type: 'setTotalWin'; amount: number }
  | { type: 'freeSpinTrigger'; totalFs: number; positions: Position[] }
  | { type: 'updateFreeSpin'; amount: number; total: number }
  | { type: 'updateGlobalMult'; globalMult: number }
  | { type: 'wincap'; amount: number }
  | { type: 'freeSpinEnd'; amount: number }
  | { type: 'finalWin'; amount: number };

export type BookEvent = { index: number } & EventBody;

function numbered(bodies: readonly EventBody[]): BookEvent[] {
  return bodies.map((body, index) => ({ index, ...body }));
}

export type Round = {
  payoutMultiplier: number;
  criteria: 'noWin' | 'lineWin' | 'freeSpins' | 'winCap';
  events: BookEvent[];
};

export function triggersFreeSpins(stops: Stops): boolean {
  return scatterPositions(boardAt(BASE_STRIPS, stops)).length === BASE_STRIPS.length;
}

/** Returns a round whose reels stop here and do not trigger free spins. */
export function baseRound(stops: Stops): Round {
  const { events, win } = baseSpin(stops);
  return finish(events, { win, criteria: win > 0 ? 'lineWin' : 'noWin' });
}

/** Returns a round whose reels stop on three scatters, played out through its free spins. */
export function freeSpinsRound(stops: Stops, random: SeededRandom): Round {
  const { events, win: baseWin, board } = baseSpin(stops);
  events.push({ type: 'freeSpinTrigger', totalFs: FREE_SPINS, positions: scatterPositions(board) });
  let win = baseWin;
  let multiplier = 1;
  for (let count = 1; count <= FREE_SPINS && win < WIN_CAP_HUNDREDTHS; count++) {
    const played = freeSpin({ count, multiplier, winBefore: win }, random);
    events.push(...played.events);
    win = played.win;
    multiplier = played.multiplier;
  }
  events.push({ type: 'freeSpinEnd', amount: win - baseWin });
  return finish(events, { win, criteria: win === WIN_CAP_HUNDREDTHS ? 'winCap' : 'freeSpins' });
}

function baseSpin(stops: Stops): { events: EventBody[]; win: number; board: Board } {
  const board = boardAt(BASE_STRIPS, stops);
  const wins = lineWins(board, 1);
  const win = totalOf(wins);
  const events: EventBody[] = [reveal(board, stops, 'basegame'), ...winEvents(wins)];
  events.push({ type: 'setTotalWin', amount: win });
  return { events, win, board };
}

/** The multiplier counts for the whole spin and grows by one after a spin that wins. */
function freeSpin(
  { count, multiplier, winBefore }: { count: number; multiplier: number; winBefore: number },
  random: SeededRandom,
): { events: EventBody[]; win: number; multiplier: number } {
  const stops = spin(FREE_STRIPS, random);
  const board = boardAt(FREE_STRIPS, stops);
  const wins = lineWins(board, multiplier);
  const win = Math.min(winBefore + totalOf(wins), WIN_CAP_HUNDREDTHS);
  const events: EventBody[] = [
    { type: 'updateFreeSpin', amount: count, total: FREE_SPINS },
    reveal(board, stops, 'freegame'),
    ...winEvents(wins),
  ];
  if (win === WIN_CAP_HUNDREDTHS) events.push({ type: 'wincap', amount: win });
  events.push({ type: 'setTotalWin', amount: win });
  const grows = wins.length > 0 && count < FREE_SPINS && win < WIN_CAP_HUNDREDTHS;
  if (!grows) return { events, win, multiplier };
  events.push({ type: 'updateGlobalMult', globalMult: multiplier + 1 });
  return { events, win, multiplier: multiplier + 1 };
}

function winEvents(wins: ReturnType<typeof lineWins>): EventBody[] {
  if (wins.length === 0) return [];
  const amount = totalOf(wins);
  return [
    { type: 'winInfo', totalWin: amount, wins },
    { type: 'setWin', amount },
  ];
}

function reveal(board: Board, stops: Stops, gameType: 'basegame' | 'freegame'): EventBody {
  return { type: 'reveal', board: board.map((reel) => reel.map((name) => ({ name }))), stops, gameType };
}

function finish(events: EventBody[], { win, criteria }: { win: number; criteria: Round['criteria'] }): Round {
  return { payoutMultiplier: win, criteria, events: numbered([...events, { type: 'finalWin', amount: win }]) };
}
