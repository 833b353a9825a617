import {
  type ExactRefusal,
  invalid,
  KEY_REUSED,
  NEVER_PLAYED,
  NO_ACTIVE_ROUND,
  NO_SESSION,
  ROUND_ACTIVE,
  TOO_POOR,
  UNKNOWN_MODE,
} from '../support/exactRefusals.ts';
import { fixtureEvents, PAYOUTS } from '../support/fixtureGame.ts';

/** What a server with the fixture game does, in memory and in so few words that it can be seen to be right. */

export const PLAYERS = 2;
export const SESSIONS_PER_PLAYER = 2;
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

type ModelPlayer = { balance: number; latest: ModelRound | undefined };

export type ModelSession = {
  player: ModelPlayer;
  isAlive: boolean;
  /** The round that each Idempotency-Key stands for. */
  keys: Map<string, ModelRound>;
};

export type Model = { sessions: ModelSession[] };

export type Bet = { amount: number; mode: string; key: string | undefined; bookID: number };

export function newModel(): Model {
  const players = Array.from({ length: PLAYERS }, (): ModelPlayer => ({ balance: OPENING_MICROS, latest: undefined }));
  const sessionsOf = (player: ModelPlayer) =>
    Array.from({ length: SESSIONS_PER_PLAYER }, (): ModelSession => ({ player, isAlive: false, keys: new Map() }));
  return { sessions: players.flatMap(sessionsOf) };
}

export type Expected<Value> = ({ ok: true } & Value) | { ok: false; refusal: ExactRefusal };

const refuse = (refusal: ExactRefusal) => ({ ok: false, refusal }) as const;

export type ExpectedPlay = Expected<{ isNew: boolean; round: ModelRound }>;

/** The bet that is new is taken at once; its betID is for the server to say. */
export function play(session: ModelSession, { amount, mode, key, bookID }: Bet): ExpectedPlay {
  const { player } = session;
  if (!session.isAlive) return refuse(NO_SESSION);
  const modeKey = mode.toUpperCase();
  const earlier = key === undefined ? undefined : session.keys.get(key);
  if (earlier?.amount === amount && earlier.mode === modeKey) return { ok: true, isNew: false, round: earlier };
  if (earlier !== undefined) return refuse(KEY_REUSED);
  const rules = MODES[modeKey];
  if (rules === undefined) return refuse(UNKNOWN_MODE);
  if (amount < 200_000) return refuse(invalid('the bet is below the minimum of 200000'));
  if (amount > 100_000_000) return refuse(invalid('the bet is above the maximum of 100000000'));
  if (amount % 100_000 !== 0) return refuse(invalid('the bet is not divisible by 100000'));
  if (player.latest?.active) return refuse(ROUND_ACTIVE);
  const debit = (amount * rules.costHundredths) / 100;
  if (debit > player.balance) return refuse(TOO_POOR);

  player.balance -= debit;
  const active = !rules.autoClose || PAYOUTS[bookID] !== 0;
  const round: ModelRound = { betID: 0, mode: modeKey, amount, bookID, active, event: null };
  player.latest = round;
  if (key !== undefined) session.keys.set(key, round);
  return { ok: true, isNew: true, round };
}

export function endRound({ isAlive, player }: ModelSession): Expected<object> {
  if (!isAlive) return refuse(NO_SESSION);
  if (player.latest === undefined) return refuse(NEVER_PLAYED);
  if (player.latest.active) player.balance += payoutOf(player.latest);
  player.latest.active = false;
  return { ok: true };
}

export function recordEvent({ isAlive, player }: ModelSession, event: string): Expected<object> {
  if (!isAlive) return refuse(NO_SESSION);
  if (!player.latest?.active) return refuse(NO_ACTIVE_ROUND);
  player.latest.event = event;
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
