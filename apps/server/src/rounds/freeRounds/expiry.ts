import type { Logger } from 'pino';
import { type Sweep, startSweep } from '../../base/sweep.ts';
import type { Database } from '../../store/database/database.ts';
import { expireGrants } from '../../store/rounds/grantExpiry.ts';

/**
 * Nothing waits for a sweep: a play and a player's list refuse a grant from the moment it is due.
 */
const PAUSE_MS = 5_000;
/** A step expires only a few grants, so that no play of their accounts waits for it. */
const GRANTS_OF_A_STEP = 200;

type ExpiryOptions = { db: Database; log: Logger; pauseMs?: number };

/**
 * Expires grants that are due, and pays the wins of those that pay at their end. Any node may do
 * it.
 */
export function startExpiry({ db, log, pauseMs = PAUSE_MS }: ExpiryOptions): Sweep {
  const onError = (error: unknown) => log.warn({ err: error }, 'grants could not be expired; they are tried again');
  return startSweep(() => expireGrants(db, GRANTS_OF_A_STEP), { pauseMs, onError });
}
