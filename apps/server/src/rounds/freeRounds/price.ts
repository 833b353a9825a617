import { type CurrencyCode, multiplyMicros, toMicros } from '@roundhouse/contract';
import type { GrantSums, StoredTerms } from '../../store/rounds/campaigns.ts';
import type { ModePrice } from '../../store/rounds/games.ts';
import { liabilityOf } from './terms.ts';

/** One player's free rounds in one currency, in micros. */
export type GrantPrice = {
  currency: CurrencyCode;
  /** The cost of these bets for the operator, in the dearest of the games. */
  cost: bigint;
  /** The most that all of its rounds can win together. */
  liability: bigint;
};

/** Returns what the terms give to one player, for each currency. */
export function priceTerms({ bets, rounds }: Pick<StoredTerms, 'bets' | 'rounds'>, price: ModePrice): GrantPrice[] {
  return Object.keys(bets)
    .sort()
    .map((currency) => ({
      currency,
      cost: BigInt(rounds) * costOf(bets, { currency, price }),
      liability: liabilityOf({ rounds, amount: amountOf(bets, currency), maxPayout: price.maxPayout }),
    }));
}

export type Progress = GrantSums & {
  /** The bets of the used rounds, and of those that are left, in micros. */
  cost: bigint;
  costLeft: bigint;
  /** The most that rounds which are open or left can win together, in micros. */
  liability: bigint;
};

/**
 * Prices the grants of a campaign in one currency in their present state. All of them have the
 * campaign's bet.
 */
export function priceProgress(
  sums: GrantSums,
  { bets, price }: { bets: StoredTerms['bets']; price: ModePrice },
): Progress {
  const { currency, used, left, openRounds } = sums;
  const cost = costOf(bets, { currency, price });
  const amount = amountOf(bets, currency);
  const liability = liabilityOf({ rounds: Number(left + openRounds), amount, maxPayout: price.maxPayout });
  return { ...sums, cost: used * cost, costLeft: left * cost, liability };
}

type Priced = { currency: CurrencyCode; price: ModePrice };

/**
 * Returns the bet of one round, in micros. The cost is a whole number: a game offers no other bets.
 */
function costOf(bets: StoredTerms['bets'], { currency, price }: Priced): bigint {
  return BigInt(multiplyMicros(toMicros(amountOf(bets, currency)), price.cost) ?? 0);
}

function amountOf(bets: StoredTerms['bets'], currency: CurrencyCode): number {
  const amount = bets[currency];
  if (amount === undefined) throw new Error(`the campaign has no bet in ${currency}`);
  return amount;
}
