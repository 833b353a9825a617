import { type BetConfig, type BetMode, checkBet, toMicros } from '@roundhouse/contract/light';
import { BadRequestError, type BetRefusal } from '../errors.ts';
import type { Bet } from './clientTypes.ts';

/**
 * Refuses a bet that the server would refuse: its mode, the bet rules, and with `strictBetLevels` the recommended levels. Whether
 * the balance covers it is the server's to say: what is known here may be older than a deposit.
 * @throws BadRequestError with `betFault`
 */
export function requireGoodBet(bet: Bet, config: BetConfig, options: { strictBetLevels: boolean }): void {
  const betFault = betRefusalOf(bet, config, options);
  if (betFault !== undefined) throw new BadRequestError(`the bet was not sent: ${betFault}`, { betFault });
}

function betRefusalOf(
  { amount, mode }: Bet,
  config: BetConfig,
  { strictBetLevels }: { strictBetLevels: boolean },
): BetRefusal | undefined {
  const { minBet, maxBet, stepBet, betLevels, jurisdiction } = config;
  const betMode = findMode(config, mode);
  if (betMode === undefined) return 'unknown-mode';
  if (betMode.feature && jurisdiction.disabledBuyFeature) return 'feature-disabled';
  const limits = { minBet: toMicros(minBet), maxBet: toMicros(maxBet), stepBet: toMicros(stepBet) };
  const fault = checkBet(amount, limits);
  if (fault !== undefined) return fault;
  return strictBetLevels && betLevels.length > 0 && !betLevels.includes(amount) ? 'not-a-bet-level' : undefined;
}

/** The server takes a mode in upper or lower case. */
function findMode({ betModes }: BetConfig, name: string): BetMode | undefined {
  const wanted = name.toUpperCase();
  return Object.entries(betModes).find(([mode]) => mode.toUpperCase() === wanted)?.[1];
}
