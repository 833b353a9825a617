import { createHash } from 'node:crypto';

/**
 * What one unit of work is. `play`: one request is a whole round, which the server closes itself. `round`: play, then end-round
 * with a payout. `event`: an action of the player in a round that was opened beforehand.
 */
export const WORKLOADS = ['play', 'round', 'authenticate', 'balance', 'event'] as const;

export type Workload = (typeof WORKLOADS)[number];

/** Micros: the bet of every play, whoever places it. */
export const BET_AMOUNT = 1_000_000;

/** Hundredths. The modes of the bench's game: every book of LOSE pays nothing and closes, every book of WIN pays the bet back. */
export const PAYOUT_MULTIPLIER = { LOSE: 0, WIN: 100 } as const;

export const CURRENCY = 'USD';

/** A POST; its body is the sessionID and these fields. */
export type Request = { path: string; fields: object };

const bet = (mode: keyof typeof PAYOUT_MULTIPLIER): Request => ({
  path: '/wallet/play',
  fields: { amount: BET_AMOUNT, mode },
});

export const BET = { lose: bet('LOSE'), win: bet('WIN') } as const;

/** The requests of one unit of work, in their order. */
export const REQUESTS_OF: Readonly<Record<Workload, readonly [Request, ...Request[]]>> = {
  play: [BET.lose],
  round: [BET.win, { path: '/wallet/end-round', fields: {} }],
  authenticate: [{ path: '/wallet/authenticate', fields: {} }],
  balance: [{ path: '/wallet/balance', fields: {} }],
  event: [{ path: '/bet/event', fields: { event: 'pick:3' } }],
};

/** Of the secrets of the operators that the bench makes. */
export const SECRETS_KEY = '5e'.repeat(32);

/**
 * A player with a live session. In a database that the bench has filled, one number is the id of the player, of its account and
 * of its session; a player who was let in over HTTP has none.
 */
export type BenchPlayer = { sessionID: string; number: number };

/** Known from the number alone, so that a million sessions are made by one statement; see stage/players.ts. */
export function playerOf(number: number): BenchPlayer {
  return { sessionID: createHash('sha256').update(`bench ${number}`).digest('hex').slice(0, 32), number };
}

/** One player's way into what is measured: the calls of one unit of work. A call that is not answered as expected throws. */
export type Caller = {
  calls: readonly (() => Promise<unknown>)[];
  close(): Promise<void>;
};
