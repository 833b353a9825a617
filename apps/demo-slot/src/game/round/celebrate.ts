import type { Pace } from '@roundhouse/sdk/events';
import { countStep } from '../money.ts';
import type { WinTier } from '../stage.ts';
import type { Table } from '../table.ts';
import { TIER_TITLES } from '../winTier.ts';

export type Celebrated = {
  readonly tier: WinTier;
  readonly amountMicros: number;
  /** Called with the amount counted so far. */
  readonly onCount: (micros: number) => void;
};

/** Counts an amount up from nothing, as its tier is celebrated. */
export function celebrate(table: Table, { tier, amountMicros, onCount }: Celebrated, pace: Pace): Promise<void> {
  const { stage, steps, store, texts, write } = table;
  const titleKey = tier === 'win' ? undefined : TIER_TITLES[tier];
  // The picture shows it. Screen readers read this.
  if (titleKey && pace !== 'instant') table.say(titleKey);
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
