import type { Pace } from '@roundhouse/sdk/events';
import type { WinTier } from '../game/ports.ts';

/** How the reels move at one pace. Times are in milliseconds, speed in rows a second. */
export type ReelPace = {
  /** The milliseconds between the starts of two neighbouring reels. */
  readonly startGapMs: number;
  /** A reel turns at least this long, so that a fast response still looks like a spin. */
  readonly firstStopMs: number;
  readonly stopGapMs: number;
  /** How much longer a reel with anticipation turns. */
  readonly anticipationMs: number;
  readonly speed: number;
  /** How far a reel runs past its place before it settles: the `s` of the back easing. */
  readonly overshoot: number;
};

const NORMAL: ReelPace = {
  startGapMs: 45,
  firstStopMs: 550,
  stopGapMs: 180,
  anticipationMs: 1500,
  speed: 27,
  overshoot: 1.5,
};
const TURBO: ReelPace = {
  startGapMs: 0,
  firstStopMs: 260,
  stopGapMs: 85,
  anticipationMs: 800,
  speed: 34,
  overshoot: 1.3,
};
const SUPER_TURBO: ReelPace = {
  startGapMs: 0,
  firstStopMs: 120,
  stopGapMs: 0,
  anticipationMs: 450,
  speed: 40,
  overshoot: 1.1,
};

export const REEL_PACES: Readonly<Record<Pace, ReelPace>> = {
  normal: NORMAL,
  turbo: TURBO,
  superTurbo: SUPER_TURBO,
  // Nothing turns at this pace. The type needs a row for every pace.
  instant: SUPER_TURBO,
};

/** Multiplies how long anything but the reels is shown. */
export const SHOW_TIME_FACTOR: Readonly<Record<Pace, number>> = { normal: 1, turbo: 0.6, superTurbo: 0.35, instant: 0 };

/** All lines in turn take at most this long, however many pay. */
const ALL_TURNS_MS = 4_800;
const LONGEST_TURN_MS = 850;

/** How long parts of a line show take. With `eachMs` 0 lines do not show one by one. */
type LineShowTimes = {
  readonly drawMs: number;
  readonly staggerMs: number;
  readonly allMs: number;
  readonly eachMs: number;
};

export function lineShowTimes(lines: number, pace: Pace): LineShowTimes {
  const factor = SHOW_TIME_FACTOR[pace];
  return {
    drawMs: 380 * factor,
    staggerMs: Math.min(90, 450 / Math.max(1, lines)) * factor,
    allMs: (lines === 1 ? 900 : 650) * factor,
    eachMs: pace === 'normal' && lines > 1 ? Math.min(LONGEST_TURN_MS, ALL_TURNS_MS / lines) : 0,
  };
}

/** A count moves in steps of one ten-thousandth of the way. */
const STEPS = 10_000;

/**
 * Returns a step of a count-up in whole micros; `progress` 0 to 1. Exact at both ends and never
 * past them. The products are whole and stay in the safe range.
 */
export function countedMicros(count: { fromMicros: number; toMicros: number; progress: number }): number {
  const step = Math.round(Math.min(1, Math.max(0, count.progress)) * STEPS);
  const spanMicros = count.toMicros - count.fromMicros;
  const whole = Math.trunc(spanMicros / STEPS);
  const rest = spanMicros % STEPS;
  return count.fromMicros + whole * step + Math.trunc((rest * step) / STEPS);
}

/** Counts fast at first, then slower, so that the last digits are readable. */
export function countCurve(part: number): number {
  const left = 1 - Math.min(1, Math.max(0, part));
  return 1 - left * left * left * (0.4 + 0.6 * left);
}

const COUNT_MS: Readonly<Record<WinTier, number>> = { win: 750, big: 2600, mega: 4200, epic: 6000, max: 8000 };
const HOLD_MS: Readonly<Record<WinTier, number>> = { win: 350, big: 1500, mega: 1800, epic: 2200, max: 3000 };

/** How long a skipped celebration shows its last amount. */
export const SKIPPED_HOLD_MS = 600;

/** Returns how long a celebration counts, and how long it then shows the amount. */
export function celebrationTimes(tier: WinTier, pace: Pace): { countMs: number; holdMs: number } {
  // Large wins last at least 0.6 of the normal time. Only the smallest tier follows the pace.
  const factor =
    tier === 'win' ? SHOW_TIME_FACTOR[pace] : Math.max(SHOW_TIME_FACTOR[pace], pace === 'instant' ? 0 : 0.6);
  return { countMs: COUNT_MS[tier] * factor, holdMs: HOLD_MS[tier] * factor };
}
