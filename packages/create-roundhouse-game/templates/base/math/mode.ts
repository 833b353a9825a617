/** Is a way to bet, and what the weights of its books are tuned to. */
export type Mode = {
  /** A round costs so many bets. */
  cost: number;
  /** It is mean payout ÷ what the round costs. */
  rtp: number;
  /** This share of the rounds pays. */
  hitRate: number;
  /** The greatest win comes once in so many rounds. */
  maxWinOneIn: number;
};
