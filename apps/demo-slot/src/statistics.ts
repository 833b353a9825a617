import { type MathStatistics, STATISTICS_FILE, VOLATILITY_STEPS } from '../rules.ts';

/**
 * Fetches the statistics of the math that this page is served with. Rejects when there are none.
 */
export async function loadStatistics(): Promise<MathStatistics> {
  const response = await fetch(`./${STATISTICS_FILE}`);
  if (!response.ok) throw new Error(`${STATISTICS_FILE}: ${response.status}`);
  return response.json();
}

/** Goes from 1 to 5, by the standard deviation of what a round returns, in stakes. */
export function volatilityOf(standardDeviation: number): number {
  return VOLATILITY_STEPS.findLastIndex((from) => standardDeviation >= from) + 1;
}
