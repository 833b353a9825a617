import { isRgsError } from '../errors.ts';

/** Whether a call that is safe to repeat is repeated. `retries`: how often it has been already. */
export function shouldRetry(error: unknown, { retries, maxRetries }: { retries: number; maxRetries: number }): boolean {
  if (retries >= maxRetries || !isRgsError(error)) return false;
  // Maintenance lasts minutes: the player is told, and the game tries again.
  return error.retryable && error.kind !== 'maintenance';
}

export type Backoff = { baseMs: number; capMs: number; random: () => number };

/**
 * Milliseconds to wait before a repetition: drawn from zero to a ceiling that doubles each time, so that players who lost their
 * connection together do not come back together.
 */
export function retryWaitMs(retries: number, { baseMs, capMs, random }: Backoff): number {
  return random() * Math.min(capMs, baseMs * 2 ** retries);
}
