/** A way to bet, and what the weights of its books are tuned to. */
export type Mode = {
  /** What a round costs, in bets. */
  cost: number;
  /** Mean payout ÷ what the round costs. */
  rtp: number;
  /** Share of the rounds that pay. */
  hitRate: number;
  /** The greatest win comes once in so many rounds. */
  maxWinOneIn: number;
};
