import type { Micros } from './money.ts';

/** What a base bet must keep to, in micros (interface document, section 8). */
export type BetLimits = { minBet: Micros; maxBet: Micros; stepBet: Micros };

/** Why a base bet is refused, in the order in which the reasons are looked for. */
export type BetFault = 'not-an-amount' | 'below-minimum' | 'above-maximum' | 'off-step';

/** The bet part of the config that authenticate returns, in micros (section 2 "Config"). Not yet known to be consistent. */
export type BetConfigNumbers = {
  minBet: number;
  maxBet: number;
  stepBet: number;
  defaultBetLevel: number;
  betLevels: readonly number[];
};

/**
 * The bet rule, the same on the server and in the game: minBet ≤ bet ≤ maxBet, and the bet is divisible by stepBet
 * (section 1 "Bet levels and bet modes", rule 1). Undefined when the bet is good.
 * @param amount base bet in micros, before the mode's cost multiplier
 */
export function checkBet(amount: number, limits: BetLimits): BetFault | undefined {
  if (!isPositiveAmount(amount)) return 'not-an-amount';
  if (amount < limits.minBet) return 'below-minimum';
  if (amount > limits.maxBet) return 'above-maximum';
  if (amount % limits.stepBet !== 0) return 'off-step';
  return undefined;
}

/**
 * Everything that is wrong with a bet configuration, as sentences for the person who wrote it; empty when it is good.
 * Good means: positive whole micros; minBet ≤ maxBet, both divisible by stepBet; the default level and every recommended
 * level are valid bets; the levels ascend, so that the last is at most maxBet (section 2 "Config").
 */
export function betConfigFaults(config: BetConfigNumbers): string[] {
  const faults = limitFaults(config);
  // The levels are judged by the limits, so while those are wrong a verdict on a level would only mislead.
  return faults.length > 0 ? faults : levelFaults(config);
}

function limitFaults({ minBet, maxBet, stepBet }: BetConfigNumbers): string[] {
  const faults = Object.entries({ minBet, maxBet, stepBet })
    .filter(([, value]) => !isPositiveAmount(value))
    .map(([name, value]) => `${name} must be a positive whole number of micros, not ${value}`);
  if (faults.length > 0) return faults;

  if (minBet > maxBet) faults.push(`minBet ${minBet} is above maxBet ${maxBet}`);
  if (minBet % stepBet !== 0) faults.push(`minBet ${minBet} is not divisible by stepBet ${stepBet}`);
  if (maxBet % stepBet !== 0) faults.push(`maxBet ${maxBet} is not divisible by stepBet ${stepBet}`);
  return faults;
}

function levelFaults(config: BetConfigNumbers): string[] {
  const limits = config as BetLimits & BetConfigNumbers;
  const faults: string[] = [];
  const judge = (name: string, amount: number) => {
    const fault = checkBet(amount, limits);
    if (fault) faults.push(`${name} ${amount} is not a valid bet: ${fault}`);
  };
  judge('defaultBetLevel', config.defaultBetLevel);
  config.betLevels.forEach((level, index) => {
    judge(`betLevels[${index}]`, level);
    const previous = config.betLevels[index - 1];
    if (previous !== undefined && !(level > previous)) {
      faults.push(`betLevels[${index}] ${level} does not come after ${previous}: levels must ascend`);
    }
  });
  return faults;
}

function isPositiveAmount(value: number): boolean {
  return Number.isSafeInteger(value) && value > 0;
}
