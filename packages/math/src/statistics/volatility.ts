/** A class holds from its standard deviation of payout ÷ cost on. */
export const VOLATILITY_CLASSES = [
  { name: 'low', from: 0 },
  { name: 'medium', from: 5 },
  { name: 'high', from: 10 },
] as const;

export type VolatilityClass = (typeof VOLATILITY_CLASSES)[number]['name'];

/** Finds the class by the standard deviation of payout ÷ cost, as `ModeStatistics` has it. */
export function volatilityOf(standardDeviation: number): VolatilityClass {
  const [low, medium, high] = VOLATILITY_CLASSES;
  if (standardDeviation >= high.from) return high.name;
  return standardDeviation >= medium.from ? medium.name : low.name;
}
