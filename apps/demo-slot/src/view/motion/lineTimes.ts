import type { Pace } from '@roundhouse/sdk/events';
import { SHOW_TIME_FACTOR } from './paces.ts';

/** However many lines pay, seeing each in turn takes no longer than this together. */
const ALL_TURNS_MS = 4_800;
const LONGEST_TURN_MS = 850;

/**
 * Milliseconds of the parts of a show of line wins. `eachMs` 0: the lines are not shown one by one.
 */
export type LineShowTimes = {
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
