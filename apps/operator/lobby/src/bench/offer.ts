import type { CurrencyCode } from '@roundhouse/contract/light';
import type { LobbyGame } from '../api.ts';

/**
 * Returns mode and bet of the free rounds that the bench gives; undefined when the game has none. A
 * grant takes bet levels only, where the game lists any.
 */
export function offerOf({ modes, bets }: LobbyGame, currency: CurrencyCode) {
  const mode = modes.includes('BASE') ? 'BASE' : modes[0];
  const limits = bets[currency] ?? bets.default;
  if (mode === undefined || limits === undefined) return undefined;
  const { betLevels, defaultBetLevel } = limits;
  const isLevel = betLevels.length === 0 || betLevels.includes(defaultBetLevel);
  return { mode, amount: isLevel ? defaultBetLevel : (betLevels[0] ?? defaultBetLevel) };
}
