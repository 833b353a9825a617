import type { ReadonlySignal } from '@preact/signals-core';
import {
  type BetConfig,
  betLevelsOf,
  type CurrencyCode,
  currencyFacts,
  debitOf,
  decimalsOfMicros,
  type Micros,
  toMicros,
} from '@roundhouse/sdk';
import { MODE_COST_HUNDREDTHS, type ModeName } from '../../rules.ts';
import type { Permissions } from './model.ts';

/**
 * Returns a book's amount in money: base bet × hundredths ÷ 100, in integers. The server has
 * checked that every product is whole.
 */
export function paidMicros({ betMicros, hundredths }: { betMicros: number; hundredths: number }): Micros {
  return toMicros((BigInt(betMicros) * BigInt(hundredths)) / 100n);
}

/**
 * Returns a value of a count-up, cut to the decimals of the currency, so that the text keeps its
 * length. The end is exact.
 */
export function countStep(
  micros: number,
  { endMicros, currency }: { endMicros: number; currency: CurrencyCode },
): Micros {
  if (micros >= endMicros) return toMicros(endMicros);
  const facts = currencyFacts(currency);
  const smallest = 10 ** (decimalsOfMicros(facts) - facts.decimals);
  const whole = Math.max(0, Math.floor(micros));
  return toMicros(whole - (whole % smallest));
}

/**
 * Returns the first bet: the last chosen one if it is still offered, else the config's default,
 * else the lowest.
 */
export function firstBet(config: BetConfig, remembered: string | undefined): number {
  const levels: readonly number[] = betLevelsOf(config);
  const chosen = Number(remembered);
  if (levels.includes(chosen)) return chosen;
  return levels.includes(config.defaultBetLevel) ? config.defaultBetLevel : (levels[0] ?? config.minBet);
}

/** Returns what one round costs in micros; undefined when the game has no such mode. */
export function costOf(config: BetConfig | undefined, { betMicros, mode }: { betMicros: number; mode: string }) {
  const costMultiplier = config?.betModes[mode]?.costMultiplier;
  return costMultiplier === undefined ? undefined : debitOf({ amount: betMicros, costMultiplier });
}

/** Returns the highest bet level whose round the balance covers; undefined when it covers none. */
export function affordableBet(
  config: BetConfig | undefined,
  { balanceMicros, mode }: { balanceMicros: number; mode: string },
): number | undefined {
  const levels: readonly number[] = config ? betLevelsOf(config) : [];
  return levels.findLast((betMicros) => (costOf(config, { betMicros, mode }) ?? Infinity) <= balanceMicros);
}

/** Returns the mode that the spin button plays, read from a round that is resumed. */
export function spinModeOf(mode: string): ModeName | undefined {
  return mode === 'BASE' || mode === 'ANTE' ? mode : undefined;
}

/**
 * Returns what a mode costs at the player's bet, in micros: from the config; in a replay, which has
 * none, from the rules.
 */
export function costOfMode(
  { betMicros, config }: { betMicros: ReadonlySignal<number>; config: ReadonlySignal<BetConfig | undefined> },
  mode: ModeName,
): number {
  const bet = betMicros.value;
  return (
    costOf(config.value, { betMicros: bet, mode }) ??
    paidMicros({ betMicros: bet, hundredths: MODE_COST_HUNDREDTHS[mode] })
  );
}

/**
 * Returns whether the player may choose the mode: the config has it and the jurisdiction allows it.
 */
export function isModeOffered(
  { config, permissions }: { config: ReadonlySignal<BetConfig | undefined>; permissions: ReadonlySignal<Permissions> },
  mode: ModeName,
): boolean {
  const served = config.value?.betModes[mode];
  if (!served) return false;
  return permissions.value.buyFeature || !served.feature;
}
