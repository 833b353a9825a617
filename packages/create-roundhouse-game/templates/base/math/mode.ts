/** Is a way to bet, and what the weights of its books are tuned to. */
export type Mode = {
  /** The cost of a round, in bets. */
  cost: number;
  /** It is mean payout ÷ what the round costs. */
  rtp: number;
  /** This share of the rounds pays. */
  hitRate: number;
  /** The greatest win comes once in this number of rounds. */
  maxWinOneIn: number;
};
