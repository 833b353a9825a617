import { paidMicros } from '../money.ts';
import type { Store } from '../store.ts';
import type { ShownRound } from './shownRound.ts';

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
