import type { Round } from '@roundhouse/contract/light';

export type RoundPace = {
  /** Tells the newest round; counting starts anew when it is one that was not seen before. */
  saw(round: Round | undefined): void;
  /** Milliseconds until the next play is allowed. */
  msLeft(minimumRoundDurationMs: number): number;
};

/**
 * The minimum round duration. The server counts from the moment it opened the round, which is before this client first saw
 * it: so counting from there is never too early, whatever the way took.
 */
export function createRoundPace(now: () => number = () => performance.now()): RoundPace {
  let seen: { betID: number; atMs: number } | undefined;
  return {
    saw(round) {
      if (round && round.betID !== seen?.betID) seen = { betID: round.betID, atMs: now() };
    },
    msLeft(minimumRoundDurationMs) {
      return seen ? Math.max(0, Math.ceil(seen.atMs + minimumRoundDurationMs - now())) : 0;
    },
  };
}
