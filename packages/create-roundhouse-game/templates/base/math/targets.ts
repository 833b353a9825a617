/**
 * What the weights of the books are tuned to. Leave `hitRate` or `maxWinOneIn` out to keep what the
 * reels give.
 */
export const TARGETS = {
  /** Mean payout ÷ bet. */
  rtp: 0.96,
  /** Share of the rounds that pay. */
  hitRate: 0.34,
  /** The greatest win comes once in so many rounds. */
  maxWinOneIn: 500_000,
};
