import { betConfigIssues, MICROS_PER_UNIT, multiplyMicros, payoutOf, toMicros } from '@roundhouse/contract';
import type { MathMode } from '@roundhouse/math';
import type { BetSettings } from './catalogue.ts';

/** In tenths of a unit, so that no fraction is needed. */
const LEVELS_TENTHS = [1, 2, 4, 6, 8, 10, 20, 40, 60, 80, 100, 200, 300, 400, 500, 600, 700, 800, 900, 1000];
const MICROS_PER_TENTH = MICROS_PER_UNIT / 10;

/** Bets of 0.1 to 100 units, for published math without a game.json. */
export const DEFAULT_BET_SETTINGS: BetSettings = {
  minBet: toMicros(MICROS_PER_TENTH),
  maxBet: toMicros(1000 * MICROS_PER_TENTH),
  stepBet: toMicros(MICROS_PER_TENTH),
  defaultBetLevel: 10 * MICROS_PER_TENTH,
  betLevels: LEVELS_TENTHS.map((tenths) => tenths * MICROS_PER_TENTH),
};

type PricedMode = { key: string; costMultiplier: string; math: MathMode };

/**
 * Everything that would make the debit or the payout of some bet inexact or too large. Checked
 * once, when the game is loaded, on the step (every bet is a multiple of it) and on the largest
 * bet, so that no play can meet it.
 */
export function betIssues(label: string, settings: BetSettings, modes: Iterable<PricedMode>): string[] {
  const issues = betConfigIssues(settings);
  if (issues.length === 0) for (const mode of modes) issues.push(...modeIssues(settings, mode));
  return issues.map((issue) => `bet limits for ${label}: ${issue}`);
}

function modeIssues({ stepBet, maxBet }: BetSettings, { key, costMultiplier, math }: PricedMode): string[] {
  const issues: string[] = [];
  if (multiplyMicros(stepBet, costMultiplier) === undefined) {
    issues.push(`in mode ${key} stepBet ${stepBet} × cost ${costMultiplier} is not a whole number of micros`);
  } else if (multiplyMicros(maxBet, costMultiplier) === undefined) {
    issues.push(`in mode ${key} maxBet ${maxBet} × cost ${costMultiplier} is more than money can hold`);
  }
  const inexact = math.distinctPayouts.find((hundredths) => (BigInt(stepBet) * hundredths) % 100n !== 0n);
  if (inexact !== undefined) {
    issues.push(`in mode ${key} stepBet ${stepBet} × payout multiplier ${inexact}/100 is not a whole number of micros`);
  } else if (payoutOf(maxBet, math.distinctPayouts.at(-1) ?? 0n) === undefined) {
    issues.push(`in mode ${key} maxBet ${maxBet} × the largest payout multiplier is more than money can hold`);
  }
  return issues;
}
