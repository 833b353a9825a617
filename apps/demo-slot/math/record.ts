import type { BookEventBody, SpinKind } from '../rules/bookEvents.ts';
import type { Board } from '../rules/symbols.ts';
import { lineWins } from './evaluate.ts';
import type { Reels } from './reels.ts';

/** Takes the events of a round one after the other. A round that is only played for its payout has none. */
export type Recorder = ((event: BookEventBody) => void) | undefined;

/** Two scatters on the reels before make a reel that can hold a third worth waiting for. */
const ANTICIPATION_SCATTERS = 2;

export function recordReveal(record: Recorder, shown: { spin: SpinKind; board: Board; reels: Reels }): void {
  if (record === undefined) return;
  const { spin, board, reels } = shown;
  let before = 0;
  const anticipation = board.map((window, reel) => {
    const canHoldOne = (reels[reel]?.scattered.length ?? 0) > 0;
    const isAwaited = before >= ANTICIPATION_SCATTERS && canHoldOne;
    if (window.includes('S')) before++;
    return isAwaited;
  });
  record({ type: 'reveal', spin, board, anticipation });
}

/** `paid` is what the spin pays, in hundredths: its lines together, or what the win cap leaves of them. */
export function recordWin(record: Recorder, won: { board: Board; multiplier: number; paid: number }): void {
  if (record === undefined || won.paid === 0) return;
  record({ type: 'winInfo', totalWin: won.paid, wins: lineWins(won.board, won.multiplier) });
  record({ type: 'setWin', amount: won.paid });
}
