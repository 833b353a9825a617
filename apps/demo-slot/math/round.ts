import type { SeededRandom } from '@roundhouse/math';
import type { BoardSource } from './boards.ts';
import { countOf, linesPay } from './evaluate.ts';
import { playFreeSpins, TRIGGERING_SCATTERS } from './freeSpins.ts';
import { type Recorder, recordReveal, recordWin } from './record.ts';
import type { Reels } from './reels.ts';

export type RoundInput = {
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
