import type { LineWin, Position } from './evaluate.ts';
import type { SymbolName } from './paytable.ts';
import type { Stops } from './reels.ts';

/** Every amount is in hundredths of the base bet, as `payoutMultiplier` is. */
export type EventBody =
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

export function numbered(bodies: readonly EventBody[]): BookEvent[] {
  return bodies.map((body, index) => ({ index, ...body }));
}
