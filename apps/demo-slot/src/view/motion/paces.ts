import type { Pace } from '@roundhouse/sdk/events';

/** How the reels move at one pace. Times in milliseconds, speed in rows a second. */
export type ReelPace = {
  /** From the first reel's start to the next one's. */
  readonly startGapMs: number;
  /**
   * A reel does not begin to stop before it has turned this long, so that a fast answer still looks
   * like a spin.
   */
  readonly firstStopMs: number;
  readonly stopGapMs: number;
  /** How much longer a reel with anticipation turns. */
  readonly anticipationMs: number;
  readonly speed: number;
  /** How far past its place a reel runs before it settles: the `s` of the back easing. */
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
  // Nothing turns at this pace. The row exists so that every pace has one.
  instant: SUPER_TURBO,
};

/** Multiplies how long anything but the reels is shown. */
export const SHOW_TIME_FACTOR: Readonly<Record<Pace, number>> = { normal: 1, turbo: 0.6, superTurbo: 0.35, instant: 0 };
