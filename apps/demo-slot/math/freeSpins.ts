import type { SeededRandom } from '@roundhouse/math';
import {
  FREE_SPINS_BY_SCATTERS,
  MAX_FREE_SPINS,
  MAX_MULTIPLIER,
  RETRIGGER_SPINS,
  WIN_CAP_HUNDREDTHS,
} from '../rules/gameRules.ts';
import type { Board } from '../rules/symbols.ts';
import { countOf, linesPay, positionsOf } from './evaluate.ts';
import { type Recorder, recordReveal, recordWin } from './record.ts';
import { type Reels, spinReels } from './reels.ts';

export const TRIGGERING_SCATTERS = 3;

/** `total` is what the round has paid so far, in hundredths of the base bet. */
type Progress = { spin: number; totalSpins: number; multiplier: number; total: number };

type FreeSpinsInput = {
  reels: Reels;
  /** The board that triggered them. */
  board: Board;
  /** What the triggering spin paid, in hundredths. */
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
