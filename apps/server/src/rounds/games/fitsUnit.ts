import { type Micros, multiplyMicros } from '@roundhouse/contract';
import type { MathMode } from '@roundhouse/math';
import type { BetSettings, GameMode, GameVersion } from './catalogue.ts';

const HUNDREDTHS = 100n;
const steps = new WeakMap<MathMode, bigint>();

/**
 * Returns whether a wallet that moves multiples of `unit` micros can move all that a bet may cost
 * and pay: every payout of the mode, not only the drawn one (decision 027).
 */
export function fitsUnit({ math, costMultiplier }: GameMode, amount: Micros, unit: number): boolean {
  const debit = multiplyMicros(amount, costMultiplier);
  if (debit === undefined || debit % unit !== 0) return false;
  return (BigInt(amount) * payoutStepOf(math)) % (HUNDREDTHS * BigInt(unit)) === 0n;
}

/**
 * Returns a number in hundredths of which every payout of the mode is a multiple. It is 0 when the
 * mode pays nothing.
 */
function payoutStepOf(math: MathMode): bigint {
  const known = steps.get(math);
  if (known !== undefined) return known;
  const step = math.distinctPayouts.reduce(divisorOf, 0n);
  steps.set(math, step);
  return step;
}

function divisorOf(one: bigint, other: bigint): bigint {
  return other === 0n ? one : divisorOf(other, one % other);
}

/**
 * Returns the settings with the bet levels that fit in every mode. The lowest of them becomes the
 * lowest bet.
 */
export function betsOfUnit({ modes }: Pick<GameVersion, 'modes'>, bets: BetSettings, unit: number): BetSettings {
  const fits = (bet: number) => [...modes.values()].every((mode) => fitsUnit(mode, bet as Micros, unit));
  const betLevels = bets.betLevels.filter(fits);
  const [first] = betLevels;
  if (first === undefined || betLevels.length === bets.betLevels.length) return bets;
  const defaultBetLevel = betLevels.findLast((level) => level <= bets.defaultBetLevel) ?? first;
  return { ...bets, betLevels, defaultBetLevel, minBet: fits(bets.minBet) ? bets.minBet : (first as Micros) };
}

/**
 * Finds the bet levels that the wallet cannot move, by mode. Without levels, the least bet and the
 * step count.
 */
export function levelsOffUnit(
  { modes }: Pick<GameVersion, 'modes'>,
  { betLevels, minBet, stepBet }: BetSettings,
  unit: number,
): { mode: string; levels: number[] }[] {
  const levels = betLevels.length > 0 ? betLevels : [minBet, stepBet];
  return [...modes.values()].flatMap((mode) => {
    const off = levels.filter((level) => !fitsUnit(mode, level as Micros, unit));
    return off.length === 0 ? [] : [{ mode: mode.key, levels: off }];
  });
}
