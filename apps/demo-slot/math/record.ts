import type { BookEventBody, SpinKind } from '../rules/bookEvents.ts';
import type { Board } from '../rules/symbols.ts';
import { lineWins } from './evaluate.ts';
import type { Reels } from './reels.ts';

/** Receives the events of a round in order. A round that is played for its payout only has none. */
export type Recorder = ((event: BookEventBody) => void) | undefined;

/** After two scatters, each further reel that can hold a third has anticipation. */
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

/**
 * `paid` is what the spin pays, in hundredths: its lines together, or what the win cap leaves of
 * them.
 */
export function recordWin(record: Recorder, won: { board: Board; multiplier: number; paid: number }): void {
  if (record === undefined || won.paid === 0) return;
  record({ type: 'winInfo', totalWin: won.paid, wins: lineWins(won.board, won.multiplier) });
  record({ type: 'setWin', amount: won.paid });
}
