import { fixtureEvents, PAYOUTS } from '../support/fixtureGame.ts';

/**
 * What a server with the fixture game does, in memory and in so few words that it can be seen to be
 * right.
 */

export const PLAYERS = 2;
/** Of each player: two sessions share an account, the third has one of its own. */
export const CURRENCIES = ['USD', 'USD', 'XSC'] as const;
export const OPENING_MICROS = 5_000_000;

/** Cost in hundredths, so that the model needs no fractions either. */
const MODES: Readonly<Record<string, { name: string; costHundredths: number; autoClose: boolean }>> = {
  BASE: { name: 'base', costHundredths: 100, autoClose: false },
  ANTE: { name: 'Ante', costHundredths: 125, autoClose: false },
  BONUS: { name: 'BONUS', costHundredths: 10_000, autoClose: false },
  AUTO: { name: 'AUTO', costHundredths: 100, autoClose: true },
};

export type ModelRound = {
  /** Given by the server when the round opens; the same ever after. */
  betID: number;
  mode: string;
  amount: number;
  bookID: number;
  active: boolean;
  event: string | null;
};

/** A player's money in one currency, and the rounds that were played with it. */
type ModelAccount = { currency: string; balance: number; latest: ModelRound | undefined };

export type ModelSession = {
  account: ModelAccount;
  isAlive: boolean;
  /** The round that each Idempotency-Key stands for. */
  keys: Map<string, ModelRound>;
};

export type Model = { sessions: ModelSession[] };

export type Bet = { amount: number; mode: string; key: string | undefined; bookID: number };

export function newModel(): Model {
  const sessionsOfPlayer = (): ModelSession[] => {
    const accounts = new Map<string, ModelAccount>();
    for (const currency of CURRENCIES) accounts.set(currency, { currency, balance: OPENING_MICROS, latest: undefined });
    return CURRENCIES.map((currency) => ({
      account: accounts.get(currency) as ModelAccount,
      isAlive: false,
      keys: new Map(),
    }));
  };
  return { sessions: Array.from({ length: PLAYERS }, sessionsOfPlayer).flat() };
}

/** A refusal's code, and what its message says. */
type Refusal = readonly ['ERR_VAL' | 'ERR_IS' | 'ERR_IPB', string];
export type Expected<Value> = ({ ok: true } & Value) | { ok: false; refusal: Refusal };

const NO_SESSION: Refusal = ['ERR_IS', 'the session is not known'];
const KEY_REUSED: Refusal = ['ERR_VAL', 'another bet'];
const UNKNOWN_MODE: Refusal = ['ERR_VAL', 'BASE, ANTE, BONUS, AUTO'];
const ROUND_ACTIVE: Refusal = ['ERR_VAL', 'a round is active'];
const NO_ACTIVE_ROUND: Refusal = ['ERR_VAL', 'no round is active'];
const NEVER_PLAYED: Refusal = ['ERR_VAL', 'no round to end'];
const TOO_POOR: Refusal = ['ERR_IPB', 'balance'];

const refuse = (refusal: Refusal) => ({ ok: false, refusal }) as const;

export type ExpectedPlay = Expected<{ isNew: boolean; round: ModelRound }>;

/** The bet that is new is taken at once; its betID is for the server to say. */
export function play(session: ModelSession, { amount, mode, key, bookID }: Bet): ExpectedPlay {
  const { account } = session;
  if (!session.isAlive) return refuse(NO_SESSION);
  const modeKey = mode.toUpperCase();
  const earlier = key === undefined ? undefined : session.keys.get(key);
  if (earlier?.amount === amount && earlier.mode === modeKey) return { ok: true, isNew: false, round: earlier };
  if (earlier !== undefined) return refuse(KEY_REUSED);
  const rules = MODES[modeKey];
  if (rules === undefined) return refuse(UNKNOWN_MODE);
  if (amount < 200_000) return refuse(['ERR_VAL', '200000']);
  if (amount > 100_000_000) return refuse(['ERR_VAL', '100000000']);
  if (amount % 100_000 !== 0) return refuse(['ERR_VAL', '100000']);
  if (account.latest?.active) return refuse(ROUND_ACTIVE);
  const debit = (amount * rules.costHundredths) / 100;
  if (debit > account.balance) return refuse(TOO_POOR);

  account.balance -= debit;
  const active = !rules.autoClose || PAYOUTS[bookID] !== 0;
  const round: ModelRound = { betID: 0, mode: modeKey, amount, bookID, active, event: null };
  account.latest = round;
  if (key !== undefined) session.keys.set(key, round);
  return { ok: true, isNew: true, round };
}

export function endRound({ isAlive, account }: ModelSession): Expected<object> {
  if (!isAlive) return refuse(NO_SESSION);
  if (account.latest === undefined) return refuse(NEVER_PLAYED);
  if (account.latest.active) account.balance += payoutOf(account.latest);
  account.latest.active = false;
  return { ok: true };
}

export function recordEvent({ isAlive, account }: ModelSession, event: string): Expected<object> {
  if (!isAlive) return refuse(NO_SESSION);
  if (!account.latest?.active) return refuse(NO_ACTIVE_ROUND);
  account.latest.event = event;
  return { ok: true };
}

export function balance({ isAlive }: ModelSession): Expected<object> {
  return isAlive ? { ok: true } : refuse(NO_SESSION);
}

function payoutOf({ amount, bookID }: ModelRound): number {
  return (amount * (PAYOUTS[bookID] ?? Number.NaN)) / 100;
}

/** The round as the wire shows it now. */
export function wireRound(round: ModelRound) {
  const payoutHundredths = PAYOUTS[round.bookID] ?? Number.NaN;
  const { name, costHundredths } = MODES[round.mode] ?? { name: '', costHundredths: Number.NaN };
  return {
    betID: round.betID,
    amount: round.amount,
    payout: payoutOf(round),
    payoutMultiplier: payoutHundredths / 100,
    costMultiplier: costHundredths / 100,
    active: round.active,
    mode: round.mode,
    event: round.event,
    state: fixtureEvents(name, payoutHundredths),
  };
}
