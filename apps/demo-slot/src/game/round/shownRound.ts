import { debitOf, type Round } from '@roundhouse/sdk';
import type { BookEvent } from '../../../rules.ts';
import { paidMicros } from '../money.ts';
import type { Store } from '../store.ts';
import type { Staked } from './celebrate.ts';

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

/** What the round on the screen has paid so far. */
export type Tally = {
  /** A book's amount in micros. */
  micros(hundredths: number): number;
  readonly totalMicros: number;
  /** Sets what has been paid so far, and shows it. */
  set(totalMicros: number): void;
  /** The free spins begin. Earlier wins do not count for them. */
  beginFreeSpins(): void;
};

export function createTally({ betMicros }: ShownRound, { winMicros, freeSpins }: Store): Tally {
  let totalMicros = 0;
  let beforeFreeSpinsMicros = 0;
  return {
    micros: (hundredths) => paidMicros({ betMicros, hundredths }),
    get totalMicros() {
      return totalMicros;
    },
    set(micros) {
      totalMicros = micros;
      winMicros.value = micros;
      const shown = freeSpins.peek();
      if (shown) freeSpins.value = { ...shown, winMicros: micros - beforeFreeSpinsMicros };
    },
    beginFreeSpins() {
      beforeFreeSpinsMicros = totalMicros;
    },
  };
}
