/** A way to bet, and what the weights of its books are tuned to. */
export type Mode = {
  /** The cost of a round, in bets. */
  cost: number;
  /** Mean payout ÷ cost of the round. */
  rtp: number;
  /** The share of rounds that pay. */
  hitRate: number;
  /** The number of rounds in which the greatest win comes once. */
  maxWinOneIn: number;
};
