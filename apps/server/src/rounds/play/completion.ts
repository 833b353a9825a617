import type { Logger } from 'pino';
import { type Sweep, startSweep } from '../../base/sweep.ts';
import { completeRounds } from '../../ledger/voidAndComplete.ts';
import type { Database } from '../../store/database/database.ts';

type CompletionOptions = {
  db: Database;
  log: Logger;
  /** The pause when no round is due, in milliseconds; a minute when left out. */
  pauseMs?: number;
};

const PAUSE_MS = 60_000;
/** A step completes only a few rounds, so that no play of their accounts waits for it. */
const ROUNDS_OF_A_STEP = 200;

/**
 * Completes rounds that their players have left, when their operator or jurisdiction says so. Every
 * node may do it at once. The player is not needed: the book decides the payout.
 */
export function startCompletion({ db, log, pauseMs = PAUSE_MS }: CompletionOptions): Sweep {
  const step = async () => {
    const roundIDs = await completeRounds(db, ROUNDS_OF_A_STEP);
    for (const roundID of roundIDs) log.info({ betID: Number(roundID) }, 'completed a round that its player has left');
    return roundIDs.length > 0;
  };
  const onError = (error: unknown) =>
    log.warn({ err: error }, 'interrupted rounds could not be completed; they are tried again');
  return startSweep(step, { pauseMs, onError });
}
