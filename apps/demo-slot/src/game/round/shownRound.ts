import { debitOf, type Round } from '@roundhouse/sdk';
import type { BookEvent } from '../../../rules.ts';
import type { Staked } from '../winTier.ts';

/** A round for the screen: of a play, a resume or a replay. */
export type ShownRound = Staked & {
  readonly events: readonly BookEvent[];
  /** What it pays in the end. */
  readonly payoutMicros: number;
};

export function shownRoundOf({ amount, costMultiplier, payout, state }: Round): ShownRound {
  return {
    betMicros: amount,
    stakeMicros: debitOf({ amount, costMultiplier }),
    payoutMicros: payout,
    // The server sends the book byte for byte as this game's own generator has published it.
    events: state as readonly BookEvent[],
  };
}

export function hasFreeSpins({ events }: ShownRound): boolean {
  return events.some((event) => event.type === 'freeSpinTrigger');
}
