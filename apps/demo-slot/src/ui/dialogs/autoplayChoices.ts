import type { AutoplaySettings } from '../../game/model.ts';

export const SPIN_CHOICES = [10, 25, 50, 100, 250, 500] as const;

/** Limits are offered as multiples of what a spin costs. */
export const LOSS_LIMIT_STAKES = [10, 25, 50, 100, 250] as const;
export const WIN_LIMIT_STAKES = [10, 25, 50, 100, 250] as const;

/** What the player has chosen in the form; limits in stakes, undefined for none. */
export type AutoplayChoice = {
  readonly spins: number;
  readonly lossLimitStakes: number | undefined;
  readonly winLimitStakes: number | undefined;
  readonly stopOnFreeSpins: boolean;
};

export const FIRST_CHOICE: AutoplayChoice = {
  spins: 25,
  lossLimitStakes: undefined,
  winLimitStakes: undefined,
  stopOnFreeSpins: false,
};

/** The choice in money, at what a spin costs now, in micros. */
export function settingsOf(choice: AutoplayChoice, stakeMicros: number): AutoplaySettings {
  const inMoney = (stakes: number | undefined) => (stakes === undefined ? undefined : stakes * stakeMicros);
  return {
    spins: choice.spins,
    lossLimitMicros: inMoney(choice.lossLimitStakes),
    singleWinLimitMicros: inMoney(choice.winLimitStakes),
    stopOnFreeSpins: choice.stopOnFreeSpins,
  };
}
