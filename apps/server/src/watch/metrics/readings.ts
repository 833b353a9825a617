/** A report reads these values where they are, so that counting them costs a play nothing. */
export type Readings = {
  /** Counts the sessions with a request within this time in milliseconds, by operatorID. */
  activeSessions(withinMs: number): ReadonlyMap<number, number>;
  walletPools(): readonly WalletPoolReading[];
  /** Returns how many closings wait for their group. */
  closingsWaiting(): number;
};

type WalletPoolReading = {
  operator: string;
  pool: string;
  inFlight: number;
  waiting: number;
  isPaused: boolean;
};
