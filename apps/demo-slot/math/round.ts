import type { SeededRandom } from '@roundhouse/math';
import {
  type Board,
  type BookEventBody,
  FREE_SPINS_BY_SCATTERS,
  MAX_FREE_SPINS,
  MAX_MULTIPLIER,
  RETRIGGER_SPINS,
  type SpinKind,
  WIN_CAP_HUNDREDTHS,
} from '../rules.ts';
import { countOf, linesPay, lineWins, positionsOf } from './evaluate.ts';
import { type BoardSource, type Reels, spinReels } from './reels.ts';

const TRIGGERING_SCATTERS = 3;
/** After two scatters, each further reel that can hold a third has anticipation. */
const ANTICIPATION_SCATTERS = 2;

/** Receives the events of a round in order. A round that is played for its payout only has none. */
type Recorder = ((event: BookEventBody) => void) | undefined;

type RoundInput = {
  /** Where the first board comes from. */
  boards: BoardSource;
  freeReels: Reels;
  random: SeededRandom;
  record?: Recorder;
};

/**
 * Plays one round and returns what it pays, in hundredths of the base bet. A recorder receives
 * every event.
 */
export function playRound({ boards, freeReels, random, record }: RoundInput): number {
  const board = boards.draw(random);
  // Twenty lines of five wilds are a fifth of the win cap: the base game never reaches it.
  const paid = linesPay(board);
  const isTriggering = countOf(board, 'S') >= TRIGGERING_SCATTERS;
  recordReveal(record, { spin: 'basegame', board, reels: boards.reels });
  recordWin(record, { board, multiplier: 1, paid });
  if (isTriggering && paid > 0) record?.({ type: 'setTotalWin', amount: paid });
  const total = isTriggering ? playFreeSpins({ reels: freeReels, board, paidBefore: paid, random, record }) : paid;
  record?.({ type: 'finalWin', amount: total });
  return total;
}

/** `total` is what the round has paid so far, in hundredths of the base bet. */
type Progress = { spin: number; totalSpins: number; multiplier: number; total: number };

type FreeSpinsInput = {
  reels: Reels;
  board: Board;
  /** The triggering spin paid this, in hundredths. */
  paidBefore: number;
  random: SeededRandom;
  record: Recorder;
};

/**
 * Plays free spins to their end or to the win cap. Returns what the round has then paid, in
 * hundredths.
 */
export function playFreeSpins({ reels, board, paidBefore, random, record }: FreeSpinsInput): number {
  const totalSpins = FREE_SPINS_BY_SCATTERS[countOf(board, 'S')];
  if (totalSpins === undefined) throw new RangeError('the board does not trigger free spins');
  const progress: Progress = { spin: 0, totalSpins, multiplier: 1, total: paidBefore };
  record?.({ type: 'freeSpinTrigger', totalSpins, positions: positionsOf(board, 'S') });
  while (progress.spin < progress.totalSpins && progress.total < WIN_CAP_HUNDREDTHS) {
    progress.spin += 1;
    record?.({ type: 'updateFreeSpin', spin: progress.spin, totalSpins: progress.totalSpins });
    const shown = spinReels(reels, random);
    recordReveal(record, { spin: 'freegame', board: shown, reels });
    collectWilds(progress, shown, record);
    paySpin(progress, shown, record);
    if (progress.total < WIN_CAP_HUNDREDTHS) retrigger(progress, shown, record);
  }
  record?.({ type: 'freeSpinEnd', amount: progress.total - paidBefore });
  return progress.total;
}

function collectWilds(progress: Progress, board: Board, record: Recorder): void {
  const wilds = countOf(board, 'W');
  if (wilds === 0) return;
  progress.multiplier = Math.min(progress.multiplier + wilds, MAX_MULTIPLIER);
  record?.({ type: 'updateMultiplier', multiplier: progress.multiplier, positions: positionsOf(board, 'W') });
}

function paySpin(progress: Progress, board: Board, record: Recorder): void {
  const { multiplier, total } = progress;
  const paid = Math.min(linesPay(board) * multiplier, WIN_CAP_HUNDREDTHS - total);
  if (paid === 0) return;
  progress.total += paid;
  recordWin(record, { board, multiplier, paid });
  record?.({ type: 'setTotalWin', amount: progress.total });
  if (progress.total === WIN_CAP_HUNDREDTHS) record?.({ type: 'winCap', amount: progress.total });
}

function retrigger(progress: Progress, board: Board, record: Recorder): void {
  if (countOf(board, 'S') < TRIGGERING_SCATTERS) return;
  const addedSpins = Math.min(RETRIGGER_SPINS, MAX_FREE_SPINS - progress.totalSpins);
  if (addedSpins === 0) return;
  progress.totalSpins += addedSpins;
  const { totalSpins } = progress;
  record?.({ type: 'freeSpinRetrigger', addedSpins, totalSpins, positions: positionsOf(board, 'S') });
}

function recordReveal(record: Recorder, shown: { spin: SpinKind; board: Board; reels: Reels }): void {
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
function recordWin(record: Recorder, won: { board: Board; multiplier: number; paid: number }): void {
  if (record === undefined || won.paid === 0) return;
  record({ type: 'winInfo', totalWin: won.paid, wins: lineWins(won.board, won.multiplier) });
  record({ type: 'setWin', amount: won.paid });
}
