export type ChartSeries = {
  label: string;
  /** One for each point; null for a gap. */
  values: readonly (number | null)[];
  /**
   * `band` fills the space to the series before it; `bars` draws columns; the default is a line.
   */
  kind?: 'line' | 'bars' | 'band' | 'dashed';
  color?: string;
};

export type ChartProps = {
  /** What the chart shows, for screen readers. */
  label: string;
  /** Times on the axis, in seconds since 1970. */
  x: readonly number[];
  xLabel: string;
  /** Formats a time; by default as a day. */
  formatX?: (x: number) => string;
  series: readonly ChartSeries[];
  /** Formats a value, such as `12.3 %`. Turn micros into numbers for drawing only. */
  format: (value: number) => string;
  /** The axis of values has numbers of this unit, each of which is `unitSize`, by default 1. */
  unit: string;
  unitSize?: number;
  height?: number;
};

const POWERS = Array.from({ length: 24 }, (_, place) => place - 9);
/** Steps of an axis. A unit is a power of ten, so they are round in each unit. */
export const STEPS = POWERS.flatMap((power) => [1, 2, 5].map((digit) => Number(`${digit}e${power}`)));

const DAY_SECONDS = 86_400;
/** Steps of seconds, minutes, hours, days and weeks. */
export const TIME_STEPS = [
  ...[1, 2, 5, 10, 30, 60, 120, 300, 600, 1800, 3600, 7200, 21_600, 43_200],
  ...[1, 2, 7, 14, 28, 91, 182, 364].map((days) => days * DAY_SECONDS),
];

const MOST_TICKS = 6;

/** Returns how far apart ticks are at least, in pixels. */
export function tickSpace({ length, least }: { length: number; least: number }): number {
  return Math.max(least, length / MOST_TICKS);
}
