import { type DecimalText, type Micros, parseDecimal } from './money.ts';

/** What a base bet must keep to, in micros. */
export type BetLimits = { minBet: Micros; maxBet: Micros; stepBet: Micros };

/** Why a base bet is refused, in the order in which the reasons are checked. */
export type BetLimitIssue = 'not-an-amount' | 'below-minimum' | 'above-maximum' | 'off-step';

/** The bet part of the config that authenticate returns, in micros. It may be inconsistent. */
export type BetConfigNumbers = {
  minBet: number;
  maxBet: number;
  stepBet: number;
  defaultBetLevel: number;
  betLevels: readonly number[];
};

/**
 * Returns the bet rule of the server and the game: minBet ≤ bet ≤ maxBet, and the bet is divisible
 * by stepBet. It is undefined when the bet is good.
 * @param amount base bet in micros, before the mode's cost multiplier
 */
export function checkBet(amount: number, limits: BetLimits): BetLimitIssue | undefined {
  if (!isPositiveAmount(amount)) return 'not-an-amount';
  if (amount < limits.minBet) return 'below-minimum';
  if (amount > limits.maxBet) return 'above-maximum';
  if (amount % limits.stepBet !== 0) return 'off-step';
  return undefined;
}

/**
 * Returns the bet settings where one play may cost at most `maxStake`: no bet is offered that every
 * mode refuses. minBet stays, also where no play is allowed, so that the settings agree with each
 * other.
 * @param costs the cost multipliers of the modes
 */
export function betsWithin<Bets extends BetConfigNumbers>(
  bets: Bets,
  { maxStake, costs }: { maxStake: Micros; costs: readonly DecimalText[] },
): Bets {
  const largest = Math.max(bets.minBet, ...costs.map((cost) => largestBet(maxStake, cost, bets.stepBet)));
  if (largest >= bets.maxBet) return bets;
  const betLevels = bets.betLevels.filter((level) => level <= largest);
  const defaultBetLevel = bets.defaultBetLevel <= largest ? bets.defaultBetLevel : (betLevels.at(-1) ?? largest);
  return { ...bets, maxBet: largest, defaultBetLevel, betLevels };
}

/** Returns the largest multiple of the step whose debit is not above the stake. */
function largestBet(maxStake: Micros, cost: DecimalText, stepBet: number): number {
  const factor = parseDecimal(cost);
  if (factor === undefined) throw new RangeError(`the cost "${cost}" is not a decimal`);
  const steps = (BigInt(maxStake) * 10n ** BigInt(factor.scale)) / (factor.digits * BigInt(stepBet));
  return Number(steps * BigInt(stepBet));
}

/**
 * Returns the issues of a bet configuration, as sentences for the person who wrote it; empty when
 * it is good. Good means: positive whole micros; minBet ≤ maxBet, both divisible by stepBet; the
 * default level and every recommended level are valid bets; the levels ascend, so that the last is
 * at most maxBet.
 */
export function betConfigIssues(config: BetConfigNumbers): string[] {
  const issues = limitIssues(config);
  // The limits judge the levels: while they are wrong, an issue of a level would mislead.
  return issues.length > 0 ? issues : levelIssues(config);
}

function limitIssues({ minBet, maxBet, stepBet }: BetConfigNumbers): string[] {
  const issues = Object.entries({ minBet, maxBet, stepBet })
    .filter(([, value]) => !isPositiveAmount(value))
    .map(([name, value]) => `${name} must be a positive whole number of micros, not ${value}`);
  if (issues.length > 0) return issues;

  if (minBet > maxBet) issues.push(`minBet ${minBet} is above maxBet ${maxBet}`);
  if (minBet % stepBet !== 0) issues.push(`minBet ${minBet} is not divisible by stepBet ${stepBet}`);
  if (maxBet % stepBet !== 0) issues.push(`maxBet ${maxBet} is not divisible by stepBet ${stepBet}`);
  return issues;
}

function levelIssues(config: BetConfigNumbers): string[] {
  const limits = config as BetLimits & BetConfigNumbers;
  const issues: string[] = [];
  const judge = (name: string, amount: number) => {
    const issue = checkBet(amount, limits);
    if (issue) issues.push(`${name} ${amount} is not a valid bet: ${issue}`);
  };
  judge('defaultBetLevel', config.defaultBetLevel);
  config.betLevels.forEach((level, index) => {
    judge(`betLevels[${index}]`, level);
    const previous = config.betLevels[index - 1];
    if (previous !== undefined && !(level > previous)) {
      issues.push(`betLevels[${index}] ${level} does not come after ${previous}: levels must ascend`);
    }
  });
  return issues;
}

function isPositiveAmount(value: number): boolean {
  return Number.isSafeInteger(value) && value > 0;
}
