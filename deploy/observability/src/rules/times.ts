const SECOND = 1;
export const MINUTE = 60;
export const HOUR = 3_600;
export const DAY = 86_400;

/** Writes times as PromQL has them. A proof divides all of them, so that it need not wait. */
export type Times = {
  /** Returns seconds as a duration: 3600 is 1h, and with a speed of 60 1m. */
  range(seconds: number): string;
  /** Returns seconds as a number. */
  seconds(seconds: number): number;
};

const UNITS = [
  ['d', DAY * 1_000],
  ['h', HOUR * 1_000],
  ['m', MINUTE * 1_000],
  ['s', SECOND * 1_000],
] as const;

/** @throws RangeError when the speed is below 1. */
export function timesAt(speed: number): Times {
  if (!(speed >= 1)) throw new RangeError(`a speed of ${speed} is below 1`);
  return {
    range(seconds) {
      const ms = Math.max(1, Math.round((seconds * 1_000) / speed));
      const [unit, size] = UNITS.find(([, each]) => ms % each === 0) ?? ['ms', 1];
      return `${ms / size}${unit}`;
    },
    seconds: (seconds) => seconds / speed,
  };
}
