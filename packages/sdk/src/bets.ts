import { type BetConfig, checkBet, type Micros, multiplyMicros, toMicros } from '@roundhouse/contract/light';

/** This part of the config says which bets there are. */
export type BetLevelConfig = Pick<BetConfig, 'minBet' | 'maxBet' | 'stepBet' | 'defaultBetLevel' | 'betLevels'>;

const ROUND_STEPS = [1, 2, 5];

/**
 * Returns the base bets to offer, ascending, in micros; each is valid by `checkBet`. They are the
 * config's betLevels. When that list is empty, they are the smallest, the largest and the default
 * bet, and between them 1, 2, 5, 10, 20, 50 and so on: in units where the step allows it, else
 * times the smallest bet.
 */
export function betLevelsOf(config: BetLevelConfig): Micros[] {
  const recommended = validOf(config.betLevels, config);
  return recommended.length > 0 ? recommended : ladderOf(config);
}

/**
 * Returns the next higher of {@link betLevelsOf}: what a plus button does. An amount between two
 * levels moves to the upper one, the highest stays.
 * @param amountMicros base bet
 */
export function nextBetLevel(amountMicros: number, config: BetLevelConfig): Micros {
  const levels = betLevelsOf(config);
  return levels.find((level) => level > amountMicros) ?? endOf(amountMicros, { config, end: levels.at(-1) });
}

/**
 * Returns the next lower of {@link betLevelsOf}: what a minus button does. An amount between two
 * levels moves to the lower one, the lowest stays.
 * @param amountMicros base bet
 */
export function previousBetLevel(amountMicros: number, config: BetLevelConfig): Micros {
  const levels = betLevelsOf(config);
  return levels.findLast((level) => level < amountMicros) ?? endOf(amountMicros, { config, end: levels[0] });
}

/**
 * Returns what a play takes from the balance, in micros: the base bet times the cost multiplier of
 * the mode, exactly.
 * @throws RangeError when the amount is not whole micros, or the product is not
 */
export function debitOf({ amount, costMultiplier }: { amount: number; costMultiplier: number }): Micros {
  // The shortest text that names the number is the decimal that the server wrote.
  const debit = multiplyMicros(toMicros(amount), String(costMultiplier));
  if (debit === undefined) throw new RangeError(`not whole micros: ${amount} times ${costMultiplier}`);
  return debit;
}

/** A valid bet beyond the last level stays as it is: a plus button must not lower a bet. */
function endOf(amountMicros: number, { config, end }: { config: BetLevelConfig; end: Micros | undefined }): Micros {
  return validOf([amountMicros], config)[0] ?? end ?? toMicros(amountMicros);
}

function ladderOf(config: BetLevelConfig): Micros[] {
  const { minBet, maxBet, stepBet, defaultBetLevel } = config;
  const lowest = minBet + ((stepBet - (minBet % stepBet)) % stepBet);
  const highest = maxBet - (maxBet % stepBet);
  // A step such as 0.30 divides no round number.
  const roundBets = validOf(roundMultiplesOf(1, highest), config);
  const between = roundBets.length > 0 ? roundBets : roundMultiplesOf(lowest, highest);
  return validOf([lowest, ...between, defaultBetLevel, highest], config);
}

/** Returns 1, 2, 5, 10, 20, 50… times the unit, in micros, up to the highest bet. */
function roundMultiplesOf(unitMicros: number, highestMicros: number): number[] {
  const multiples: number[] = [];
  for (let decade = unitMicros; decade > 0 && decade <= highestMicros; decade *= 10) {
    multiples.push(...ROUND_STEPS.map((step) => step * decade));
  }
  return multiples;
}

/** Returns the valid ones of some bets, ascending, each once. */
function validOf(amountsMicros: readonly number[], config: BetLevelConfig): Micros[] {
  const limits = {
    minBet: toMicros(config.minBet),
    maxBet: toMicros(config.maxBet),
    stepBet: toMicros(config.stepBet),
  };
  const valid = amountsMicros.filter((amount) => checkBet(amount, limits) === undefined);
  return [...new Set(valid)].sort((left, right) => left - right).map(toMicros);
}
