import type { GrantPrice } from '@roundhouse/contract/admin';
import { amountText } from '../../lib/money.ts';

/** Returns the bets in the notation of their currencies: `$1.00, €1.00`. */
export function betsText(bets: Readonly<Record<string, number>>): string {
  return Object.entries(bets)
    .map(([currency, micros]) => amountText(micros, currency))
    .join(', ');
}

/**
 * Returns the price for a number of players in one currency: what the operator pays, what they can
 * win.
 */
export function priceText({ currency, cost, liability }: GrantPrice, players = 1): string {
  const all = (micros: string) => amountText(BigInt(micros) * BigInt(players), currency);
  return `bets ${all(cost)}, max win ${all(liability)}`;
}
