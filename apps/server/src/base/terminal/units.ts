const MS_PER_SECOND = 1_000;
const SECONDS: readonly (readonly [unit: string, seconds: number])[] = [
  ['d', 86_400],
  ['h', 3_600],
  ['min', 60],
];
/** From this number of a unit on, a time is written in it: 90 min, but 2 h. */
const FEWEST_OF_UNIT = 2;
const BYTES = ['B', 'kB', 'MB', 'GB', 'TB'];
const BYTES_STEP = 1_000;

/** Writes a time as a person reads it: "0.3 s", "45 s", "90 s", "12 min", "3 h", "5 d". */
export function secondsText(seconds: number): string {
  for (const [unit, size] of SECONDS) {
    if (seconds >= FEWEST_OF_UNIT * size) return `${Math.floor(seconds / size)} ${unit}`;
  }
  return `${seconds < 1 ? Math.round(seconds * 10) / 10 : Math.floor(seconds)} s`;
}

export function secondsBetween(from: Date, to: Date): number {
  return Math.max(0, (to.getTime() - from.getTime()) / MS_PER_SECOND);
}

/** Writes a size in units of 1,000: "812 kB", "1.2 GB". */
export function bytesText(bytes: number | bigint): string {
  let size = Number(bytes);
  let unit = 0;
  while (size >= BYTES_STEP && unit < BYTES.length - 1) {
    size /= BYTES_STEP;
    unit += 1;
  }
  return `${unit > 1 && size < 100 ? size.toFixed(1) : Math.round(size)} ${BYTES[unit]}`;
}

/** Writes "1 node", "2 nodes". */
export function counted(count: number | bigint, one: string, many = `${one}s`): string {
  return `${Number(count).toLocaleString('en-US')} ${Number(count) === 1 ? one : many}`;
}
