import { type BetConfig, betLevelsOf, debitOf } from '@roundhouse/sdk';
import type { ModeName } from '../../../rules.ts';

/**
 * The first bet: the last chosen one if it is still offered, else the config's default, else the
 * lowest.
 */
export function firstBet(config: BetConfig, remembered: string | undefined): number {
  const levels: readonly number[] = betLevelsOf(config);
  const chosen = Number(remembered);
  if (levels.includes(chosen)) return chosen;
  return levels.includes(config.defaultBetLevel) ? config.defaultBetLevel : (levels[0] ?? config.minBet);
}

/** What one round costs in micros; undefined when the game has no such mode. */
export function costOf(config: BetConfig | undefined, { betMicros, mode }: { betMicros: number; mode: string }) {
  const costMultiplier = config?.betModes[mode]?.costMultiplier;
  return costMultiplier === undefined ? undefined : debitOf({ amount: betMicros, costMultiplier });
}

/** The mode that the spin button plays, read from a round that is resumed. */
export function spinModeOf(mode: string): ModeName | undefined {
  return mode === 'BASE' || mode === 'ANTE' ? mode : undefined;
}
