import { createHash } from 'node:crypto';

/**
 * What one unit of work is. `play`: one request is a whole round, which the server closes itself.
 * `round`: play, then end-round with a payout. `event`: in a round that was opened beforehand.
 */
export const WORKLOADS = ['play', 'round', 'authenticate', 'balance', 'event'] as const;

export type Workload = (typeof WORKLOADS)[number];

/** Micros: the bet of every play. */
export const BET_AMOUNT = 1_000_000;

/** Hundredths. Every book of LOSE pays nothing and closes, every book of WIN pays the bet back. */
export const PAYOUT_MULTIPLIER = { LOSE: 0, WIN: 100 } as const;

export const CURRENCY = 'USD';

/** A POST; its body is the sessionID and these fields. */
export type Request = { path: string; fields: object };

const bet = (mode: keyof typeof PAYOUT_MULTIPLIER): Request => ({
  path: '/wallet/play',
  fields: { amount: BET_AMOUNT, mode },
});

export const WINNING_BET = bet('WIN');

/** The requests of one unit of work, in their order. */
export const REQUESTS_OF: Readonly<Record<Workload, readonly [Request, ...Request[]]>> = {
  play: [bet('LOSE')],
  round: [WINNING_BET, { path: '/wallet/end-round', fields: {} }],
  authenticate: [{ path: '/wallet/authenticate', fields: {} }],
  balance: [{ path: '/wallet/balance', fields: {} }],
  event: [{ path: '/bet/event', fields: { event: 'pick:3' } }],
};

/** Of the secrets of the operators that the bench makes. */
export const SECRETS_KEY = '5e'.repeat(32);

/**
 * Known from the number alone, so that one statement makes a million sessions (fillDatabase.ts).
 */
export function sessionOf(number: number): string {
  return createHash('sha256').update(`bench ${number}`).digest('hex').slice(0, 32);
}

/** One request outside of what is measured. Rejects when the response is not a success. */
export async function postJson<Body = unknown>(url: string, body: object): Promise<Body> {
  const headers = { 'Content-Type': 'application/json' };
  const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
  const text = await response.text();
  if (!response.ok) throw new Error(`${url} responded ${response.status}: ${text}`);
  return JSON.parse(text) as Body;
}

/** One sample of a server. There are at least twice as many sessions as connections. */
export type HttpLoad = {
  url: string;
  workload: Workload;
  sessions: readonly string[];
  connections: number;
  seconds: number;
};
