import type { Logger } from 'pino';
import { type Sweep, startSweep } from '../../base/sweep.ts';
import type { Database } from '../../store/database/database.ts';
import { deleteOldRoundTraces } from '../../store/rounds/roundTraces.ts';
import { deleteExpired } from '../../store/rounds/sessions.ts';

export type PurgeOptions = {
  /** Time in milliseconds for which sessions and launches are kept after they have expired. */
  retentionMs: number;
  /** The pause when nothing is left to delete, in milliseconds; a minute when left out. */
  pauseMs?: number;
};

const PAUSE_MS = 60_000;
/** A step deletes only a few rows, so that no play waits for it: it takes some milliseconds. */
const ROWS_OF_A_STEP = 500;

/** Deletes what expired long ago, a few rows at a time. Every node may do it at once. */
export function startPurge({
  db,
  retentionMs,
  pauseMs = PAUSE_MS,
  log,
}: PurgeOptions & { db: Database; log: Logger }): Sweep {
  const purge = async () => {
    const isMore = await deleteExpired(db, { retentionMs, limit: ROWS_OF_A_STEP });
    return (await deleteOldRoundTraces(db, { limit: ROWS_OF_A_STEP })) || isMore;
  };
  return startSweep(purge, {
    pauseMs,
    onError: (error) => log.warn({ err: error }, 'expired sessions could not be deleted; they are tried again'),
  });
}
