import type { Pace } from '@roundhouse/sdk/events';
import { WIN_CAP_HUNDREDTHS } from '../../../rules.ts';
import type { TextKey } from '../../texts/texts.ts';
import type { Context } from '../context.ts';
import { countStep, paidMicros } from '../money.ts';
import type { WinTier } from '../ports.ts';

/** The multiples of the stake from which a win is big, and so on. */
const TIERS = [
  { tier: 'epic', timesStake: 75 },
  { tier: 'mega', timesStake: 25 },
  { tier: 'big', timesStake: 10 },
  { tier: 'win', timesStake: 1 },
] as const satisfies readonly { tier: WinTier; timesStake: number }[];

const TIER_TITLES: Readonly<Record<Exclude<WinTier, 'win'>, TextKey>> = {
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

type Celebrated = {
  readonly tier: WinTier;
  readonly amountMicros: number;
  /** Called with the amount counted so far. */
  readonly onCount: (micros: number) => void;
};

/** Counts an amount up from nothing, as its tier is celebrated. */
export function celebrate(context: Context, { tier, amountMicros, onCount }: Celebrated, pace: Pace): Promise<void> {
  const { stage, steps, store, texts, write } = context;
  const titleKey = tier === 'win' ? undefined : TIER_TITLES[tier];
  // The stage shows the title. Screen readers read this.
  if (titleKey && pace !== 'instant') context.say(titleKey);
  const currency = store.currency.peek();
  const step = (micros: number) => countStep(micros, { endMicros: amountMicros, currency });
  return steps.show(pace, (showing) =>
    stage.celebrate(
      {
        tier,
        fromMicros: 0,
        toMicros: amountMicros,
        write: (micros) => write(step(micros)),
        title: titleKey && texts.t(titleKey),
        onCount: (micros) => onCount(step(micros)),
      },
      showing,
    ),
  );
}
