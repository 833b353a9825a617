import { debitOf, type Round } from '@roundhouse/sdk';
import type { BookEvent } from '../../../rules.ts';
import { paidMicros } from '../money.ts';
import type { WinTier } from '../ports.ts';
import type { Store } from '../store.ts';
import { isGreaterTier, isWinCap, type Staked } from './celebrate.ts';

/** A round for the screen: of a play, a resume or a replay. */
export type ShownRound = Staked & {
  readonly events: readonly BookEvent[];
  /** It pays this in the end. */
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

/** What the round on the screen has paid so far, from its first spin on. */
export type Tally = {
  /** Returns a book's amount in micros. */
  micros(hundredths: number): number;
  readonly totalMicros: number;
  /** The round has paid the most that it can. */
  readonly isAtCap: boolean;
  /** The greatest tier of the spins so far. */
  readonly greatestTier: WinTier | undefined;
  /** Sets what has been paid so far, and shows it. */
  set(totalMicros: number): void;
  /** A spin has won in this tier. */
  remember(tier: WinTier | undefined): void;
};

export function createTally({ betMicros }: ShownRound, { winMicros }: Store): Tally {
  let totalMicros = 0;
  let greatestTier: WinTier | undefined;
  return {
    micros: (hundredths) => paidMicros({ betMicros, hundredths }),
    get totalMicros() {
      return totalMicros;
    },
    get isAtCap() {
      return isWinCap(totalMicros, betMicros);
    },
    get greatestTier() {
      return greatestTier;
    },
    set(micros) {
      totalMicros = micros;
      winMicros.value = micros;
    },
    remember(tier) {
      if (tier && isGreaterTier(tier, greatestTier)) greatestTier = tier;
    },
  };
}
