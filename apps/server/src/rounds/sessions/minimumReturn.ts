import type { ModeReturns } from '../../store/rounds/games.ts';

const HUNDREDTHS_OF_PERCENT = 10_000;

/** `minimumRTP` is in percent; two of its decimals count. */
type Demand = { disabledBuyFeature: boolean; minimumRTP: number };

/** Returns the first mode that can be played and returns less than a jurisdiction demands. */
export function findLowReturn(
  returns: ModeReturns,
  { disabledBuyFeature, minimumRTP }: Demand,
): { mode: string; rtp: number } | undefined {
  const minimum = Math.round(minimumRTP * 100) / HUNDREDTHS_OF_PERCENT;
  const low = Object.entries(returns).find(([, { rtp, feature }]) => rtp < minimum && !(feature && disabledBuyFeature));
  return low && { mode: low[0], rtp: low[1].rtp };
}
