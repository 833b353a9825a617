/** `play`: one request is a whole round, which the server closes itself. `round`: play, then end-round with a payout. */
export const WORKLOADS = ['play', 'round'] as const;

export type Workload = (typeof WORKLOADS)[number];

/** The modes of the bench's game: every book of LOSE pays nothing and closes, every book of WIN pays the bet back. */
export const MODE_OF: Readonly<Record<Workload, 'LOSE' | 'WIN'>> = { play: 'LOSE', round: 'WIN' };

/** Micros: the bet of every play, whoever places it. */
export const BET_AMOUNT = 1_000_000;

/** Hundredths. */
export const PAYOUT_MULTIPLIER = { LOSE: 0, WIN: 100 } as const;

export const CURRENCY = 'USD';

/** A player with a live session. A connection or caller plays as one player of its own. */
export type BenchPlayer = { sessionID: string; playerID: bigint; sessionRowID: bigint };

/** One player's way into what is measured. A call that is not answered as expected throws. */
export type Caller = {
  play(): Promise<unknown>;
  endRound(): Promise<unknown>;
  close(): Promise<void>;
};
