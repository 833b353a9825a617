import type { Pace } from '@roundhouse/sdk/events';
import { WIN_CAP_HUNDREDTHS } from '../../../rules.ts';
import type { TextKey } from '../../texts/texts.ts';
import type { Context } from '../context.ts';
import { countStep, paidMicros } from '../money.ts';
import type { WinTier } from '../ports.ts';

/** From these multiples of the base bet a win is big, and so on. */
const TIERS = [
  { tier: 'epic', timesBet: 100 },
  { tier: 'mega', timesBet: 25 },
  { tier: 'big', timesBet: 10 },
] as const satisfies readonly { tier: WinTier; timesBet: number }[];

const ASCENDING: readonly WinTier[] = ['win', 'big', 'mega', 'epic', 'max'];

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

type Won = {
  readonly amountMicros: number;
  /** What the round has paid with this amount. */
  readonly totalMicros: number;
};

/**
 * Returns how a win is celebrated. It is undefined for a win of no more than the bet, and as long
 * as the round has not paid more than its stake: rules for slots forbid celebrating a return
 * below the stake.
 */
export function winTierOf({ amountMicros, totalMicros }: Won, { betMicros, stakeMicros }: Staked): WinTier | undefined {
  if (amountMicros <= 0 || totalMicros <= stakeMicros) return undefined;
  if (isWinCap(totalMicros, betMicros)) return 'max';
  if (amountMicros <= betMicros) return undefined;
  return TIERS.find(({ timesBet }) => amountMicros >= timesBet * betMicros)?.tier ?? 'win';
}

/** Returns whether a round has paid the most that it can. */
export function isWinCap(totalMicros: number, betMicros: number): boolean {
  return totalMicros >= paidMicros({ betMicros, hundredths: WIN_CAP_HUNDREDTHS });
}

export function isGreaterTier(tier: WinTier, than: WinTier | undefined): boolean {
  return than === undefined || ASCENDING.indexOf(tier) > ASCENDING.indexOf(than);
}

type Celebrated = {
  readonly tier: WinTier;
  /** The count begins here: at 0, or at what has been shown already. */
  readonly fromMicros?: number;
  readonly toMicros: number;
  /** The player should know this besides the amount. Small wins have none. */
  readonly note?: string | undefined;
  /** The celebration calls it with the amount counted so far. */
  readonly onCount?: (micros: number) => void;
};

/** Counts an amount up, as its tier is celebrated. */
export function celebrate(
  context: Context,
  { tier, fromMicros = 0, toMicros, note, onCount }: Celebrated,
  pace: Pace,
): Promise<void> {
  const { stage, steps, store, texts, write } = context;
  const title = tier === 'win' ? undefined : texts.t(TIER_TITLES[tier]);
  // The stage shows the words. Screen readers read this.
  if (title) store.announcement.value = [`${title} ${write(toMicros)}`, note].filter(Boolean).join('. ');
  const currency = store.currency.peek();
  const step = (micros: number) => countStep(micros, { endMicros: toMicros, currency });
  return steps.show(pace, (showing) =>
    stage.celebrate(
      {
        tier,
        fromMicros,
        toMicros,
        write: (micros) => write(step(micros)),
        title,
        note,
        onCount: (micros) => onCount?.(step(micros)),
      },
      showing,
    ),
  );
}
