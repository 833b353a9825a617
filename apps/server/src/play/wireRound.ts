import type { Balance, CurrencyCode, Micros, Round } from '@roundhouse/contract';
import { RawJson } from '../http/rawJson.ts';
import type { ShownRound } from './shownRound.ts';

const HUNDREDTHS = 100;

/** The round of wire.md, "Round". `state` is written as the book's own bytes. */
export function wireRound(round: ShownRound): Round {
  return {
    betID: Number(round.roundID),
    amount: round.amount,
    payout: round.payout,
    payoutMultiplier: wireMultiplier(round.payoutMultiplier),
    costMultiplier: Number(round.costMultiplier),
    active: round.active,
    mode: round.mode,
    event: round.lastEvent,
    state: wireState(round.events),
  };
}

/** Hundredths as the number that the wire shows: display only, no amount is ever computed from it. */
export function wireMultiplier(hundredths: bigint): number {
  return Number(hundredths) / HUNDREDTHS;
}

export function wireState(events: Buffer): unknown[] {
  return new RawJson(events) as unknown as unknown[];
}

export function wireBalance(amount: Micros, currency: CurrencyCode): Balance {
  return { amount, currency };
}
