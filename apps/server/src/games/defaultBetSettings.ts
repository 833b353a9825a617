import { MICROS_PER_UNIT, toMicros } from '@roundhouse/contract';
import type { BetSettings } from './game.ts';

/** Whole units, written in tenths so that no fraction is needed. */
const LEVELS_TENTHS = [1, 2, 4, 6, 8, 10, 20, 40, 60, 80, 100, 200, 300, 400, 500, 600, 700, 800, 900, 1000];
const MICROS_PER_TENTH = MICROS_PER_UNIT / 10;

/** Bets of 0.1 to 100 units for published math that says nothing of bets. */
export const DEFAULT_BET_SETTINGS: BetSettings = {
  minBet: toMicros(MICROS_PER_TENTH),
  maxBet: toMicros(1000 * MICROS_PER_TENTH),
  stepBet: toMicros(MICROS_PER_TENTH),
  defaultBetLevel: 10 * MICROS_PER_TENTH,
  betLevels: LEVELS_TENTHS.map((tenths) => tenths * MICROS_PER_TENTH),
};
