import { WIN_CAP_HUNDREDTHS } from '../../rules.ts';
import type { TextKey } from '../texts/textKeys.ts';
import { paidMicros } from './money.ts';
import type { WinTier } from './stage.ts';

/** The multiples of the stake from which a win is big, and so on. */
const TIERS = [
  { tier: 'epic', timesStake: 75 },
  { tier: 'mega', timesStake: 25 },
  { tier: 'big', timesStake: 10 },
  { tier: 'win', timesStake: 1 },
] as const satisfies readonly { tier: WinTier; timesStake: number }[];

export const TIER_TITLES: Readonly<Record<Exclude<WinTier, 'win'>, TextKey>> = {
  big: 'tierBig',
  mega: 'tierMega',
  epic: 'tierEpic',
  max: 'tierMax',
};

export type Staked = {
  readonly betMicros: number;
  /** Bet × cost of the mode. */
  readonly stakeMicros: number;
};

/** How an amount is celebrated; undefined when it is below the stake, because that is no win. */
export function winTierOf(amountMicros: number, { betMicros, stakeMicros }: Staked): WinTier | undefined {
  if (amountMicros <= 0 || amountMicros < stakeMicros) return undefined;
  if (amountMicros >= paidMicros({ betMicros, hundredths: WIN_CAP_HUNDREDTHS })) return 'max';
  return TIERS.find(({ timesStake }) => amountMicros >= timesStake * stakeMicros)?.tier;
}
