import type { Pace } from '@roundhouse/sdk/events';
import type { WinTier } from '../../game/ports.ts';
import { SHOW_TIME_FACTOR } from './paces.ts';

/** How fine a count is: it moves in steps of one ten-thousandth of the way. */
const STEPS = 10_000;

/**
 * An amount on the way from one to another, in whole micros; `progress` 0 to 1. Exact at both ends
 * and never past them. Only whole numbers are multiplied, and none of the products leaves the safe
 * range.
 */
export function countedMicros(count: { fromMicros: number; toMicros: number; progress: number }): number {
  const step = Math.round(Math.min(1, Math.max(0, count.progress)) * STEPS);
  const spanMicros = count.toMicros - count.fromMicros;
  const whole = Math.trunc(spanMicros / STEPS);
  const rest = spanMicros % STEPS;
  return count.fromMicros + whole * step + Math.trunc((rest * step) / STEPS);
}

/** Fast at first, slowing down so that the last digits can be read as they come in. */
export function countCurve(part: number): number {
  const left = 1 - Math.min(1, Math.max(0, part));
  return 1 - left * left * left * (0.4 + 0.6 * left);
}

const COUNT_MS: Readonly<Record<WinTier, number>> = { win: 750, big: 2600, mega: 4200, epic: 6000, max: 8000 };
const HOLD_MS: Readonly<Record<WinTier, number>> = { win: 350, big: 1500, mega: 1800, epic: 2200, max: 3000 };

/** What a skipped celebration still shows of its last amount. */
export const SKIPPED_HOLD_MS = 600;

/** How long a celebration counts and how long it then rests on its amount. Milliseconds. */
export function celebrationTimes(tier: WinTier, pace: Pace): { countMs: number; holdMs: number } {
  // Large wins take their time at any pace. Only the smallest tier follows the pace.
  const factor =
    tier === 'win' ? SHOW_TIME_FACTOR[pace] : Math.max(SHOW_TIME_FACTOR[pace], pace === 'instant' ? 0 : 0.6);
  return { countMs: COUNT_MS[tier] * factor, holdMs: HOLD_MS[tier] * factor };
}
