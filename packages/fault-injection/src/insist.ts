import { setTimeout as wait } from 'node:timers/promises';

/** `random`, from 0 to below 1, spreads the pauses. Without `patienceMs` there is no end. */
type Patience = { patienceMs?: number; random?: () => number };

const FIRST_PAUSE_MS = 20;
const LONGEST_PAUSE_MS = 400;

/**
 * Attempts the same again and again until the result is certain. An attempt returns undefined while
 * it is not; so does this function when its patience is over.
 */
export async function insist<Certain>(
  attempt: () => Promise<Certain | undefined>,
  { patienceMs = Number.POSITIVE_INFINITY, random = () => 0.5 }: Patience = {},
): Promise<Certain | undefined> {
  const untilMs = performance.now() + patienceMs;
  for (let pauseMs = FIRST_PAUSE_MS; performance.now() < untilMs; pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)) {
    const result = await attempt();
    if (result !== undefined) return result;
    await wait(pauseMs * (0.5 + random()));
  }
  return undefined;
}
