import { type BookGroup, chiSquareTail, chiSquareTest, groupOf, type MathMode } from '@roundhouse/math';

/**
 * Tests positions that are drawn one after the other. `p` is uniform between 0 and 1 when each draw
 * follows the lookup table and is independent of the others. It is undefined when the mode has too
 * few groups of books for the test.
 */
export type DrawTest = { name: string; take(positions: Uint32Array): void; p(): number | undefined };

export function drawTests(mode: MathMode): DrawTest[] {
  const pairGroups = mode.groups(PAIR_GROUPS);
  return [distribution(mode), pairs(mode, pairGroups), serialCorrelation(mode), runs(mode), gaps(mode), coupons(mode)];
}

const PAIR_GROUPS = 64;
const LAGS = 8;
const GAP_GROUPS = 8;
const LONGEST_GAP = 200;
const COUPON_GROUPS = 8;
const LONGEST_COLLECTION = 400;

/** Tests the number of draws of each book: GLI-19 "total distribution". */
function distribution(mode: MathMode): DrawTest {
  const counts = new Float64Array(mode.bookCount);
  let draws = 0;
  return {
    name: 'distribution',
    take(positions) {
      draws += positions.length;
      for (const position of positions) counts[position] = (counts[position] as number) + 1;
    },
    p() {
      const expected = Float64Array.from(mode.books(), ({ weight }) => probabilityOf(mode, weight) * draws);
      return passable(chiSquareTest(counts, expected));
    },
  };
}

/** Tests pairs that do not overlap, as cells of group × group (serial test). */
function pairs(mode: MathMode, groups: readonly BookGroup[]): DrawTest {
  const size = groups.length;
  const symbols = symbolsOf(mode, groups);
  const counts = new Float64Array(size * size);
  return {
    name: 'serial pairs',
    take(positions) {
      for (let at = 0; at + 1 < positions.length; at += 2) {
        const cell = symbolAt(symbols, positions[at]) * size + symbolAt(symbols, positions[at + 1]);
        counts[cell] = (counts[cell] as number) + 1;
      }
    },
    p() {
      const total = sum(counts);
      const expected = groups.flatMap((first) =>
        groups.map((second) => first.probability * second.probability * total),
      );
      return passable(chiSquareTest(counts, expected));
    },
  };
}

/**
 * Each position has a score, its place in the cumulative distribution, whose mean and variance the
 * table gives. The squared correlations at 8 lags add up to a chi-square of 8 degrees.
 */
function serialCorrelation(mode: MathMode): DrawTest {
  const { scores, variance } = scoresOf(mode);
  const sums = new Float64Array(LAGS);
  const products = new Float64Array(LAGS);
  return {
    name: 'serial correlation',
    take(positions) {
      const block = Float64Array.from(positions, (position) => scores[position] as number);
      for (let lag = 1; lag <= LAGS; lag += 1) {
        let total = 0;
        for (let at = lag; at < block.length; at += 1) total += (block[at] as number) * (block[at - lag] as number);
        sums[lag - 1] = (sums[lag - 1] as number) + total;
        products[lag - 1] = (products[lag - 1] as number) + Math.max(0, block.length - lag);
      }
    },
    p() {
      if (variance === 0) return undefined;
      return chiSquareTail(sum(sums.map((each, lag) => (each / variance) ** 2 / (products[lag] as number))), LAGS);
    },
  };
}

/** Tests runs of draws on one side of the median: Wishart and Hirschfeld's mean and variance. */
function runs(mode: MathMode): DrawTest {
  const { isLow, low } = medianOf(mode);
  let draws = 0;
  let count = 0;
  let last = -1;
  return {
    name: 'runs',
    take(positions) {
      draws += positions.length;
      for (const position of positions) {
        const side = isLow[position] as number;
        if (side !== last) count += 1;
        last = side;
      }
    },
    p() {
      const both = low * (1 - low);
      const mean = 1 + 2 * both * (draws - 1);
      const variance = 4 * draws * both * (1 - 3 * both) - 2 * both * (3 - 10 * both);
      return variance > 0 ? chiSquareTail((count - mean) ** 2 / variance, 1) : undefined;
    },
  };
}

/** Tests how many draws are between two draws of one group (geometric). */
function gaps(mode: MathMode): DrawTest {
  const groups = mode.groups(GAP_GROUPS);
  const symbols = symbolsOf(mode, groups);
  const { probability } = groups[0] as BookGroup;
  const counts = new Float64Array(LONGEST_GAP + 1);
  let gap: number | undefined;
  return {
    name: 'gap',
    take(positions) {
      for (const position of positions) {
        if (symbols[position] === 0) {
          if (gap !== undefined) count(counts, gap);
          gap = 0;
        } else if (gap !== undefined) gap += 1;
      }
    },
    p() {
      const tail = (length: number) => (1 - probability) ** length;
      return passable(chiSquareTest(counts, expectedOf(counts, tail)));
    },
  };
}

/**
 * Tests how many draws it takes until each group has come. It uses inclusion and exclusion, since
 * the groups are not equally likely.
 */
function coupons(mode: MathMode): DrawTest {
  const groups = mode.groups(COUPON_GROUPS);
  const symbols = symbolsOf(mode, groups);
  const all = 2 ** groups.length - 1;
  const counts = new Float64Array(LONGEST_COLLECTION + 1);
  let seen = 0;
  let length = 0;
  return {
    name: 'coupon collector',
    take(positions) {
      for (const position of positions) {
        seen |= 1 << (symbols[position] as number);
        length += 1;
        if (seen !== all) continue;
        count(counts, length);
        seen = 0;
        length = 0;
      }
    },
    p() {
      const missing = subsets(groups.map(({ probability }) => probability)).filter(({ size }) => size > 0);
      /**
       * Returns the probability that the collection takes at least this number of draws: after one
       * fewer something is missing.
       */
      const tail = (draws: number) =>
        draws === 0 ? 1 : sum(missing.map(({ size, mass }) => (size % 2 === 1 ? 1 : -1) * (1 - mass) ** (draws - 1)));
      return passable(chiSquareTest(counts, expectedOf(counts, tail)));
    },
  };
}

/** Returns expected counts of lengths from 0; the last one counts itself and all above. */
function expectedOf(counts: Float64Array, tail: (length: number) => number): Float64Array {
  const total = sum(counts);
  const last = counts.length - 1;
  return counts.map((_, length) => total * (length === last ? tail(length) : tail(length) - tail(length + 1)));
}

function count(counts: Float64Array, length: number): void {
  const bin = Math.min(length, counts.length - 1);
  counts[bin] = (counts[bin] as number) + 1;
}

function subsets(probabilities: readonly number[]): { size: number; mass: number }[] {
  return probabilities.reduce(
    (list, probability) =>
      list.concat(list.map(({ size, mass }) => ({ size: size + 1, mass: Math.min(1, mass + probability) }))),
    [{ size: 0, mass: 0 }],
  );
}

function symbolsOf(mode: MathMode, groups: readonly BookGroup[]): Uint8Array {
  return Uint8Array.from({ length: mode.bookCount }, (_, position) => groupOf(groups, position));
}

function symbolAt(symbols: Uint8Array, position: number | undefined): number {
  return symbols[position as number] as number;
}

function scoresOf(mode: MathMode): { scores: Float64Array; variance: number } {
  const scores = new Float64Array(mode.bookCount);
  let before = 0;
  let variance = 0;
  for (const { position, weight } of mode.books()) {
    const probability = probabilityOf(mode, weight);
    // The mean of the places is exactly 1/2.
    const score = before + probability / 2 - 0.5;
    scores[position] = score;
    variance += probability * score ** 2;
    before += probability;
  }
  return { scores, variance };
}

function medianOf(mode: MathMode): { isLow: Uint8Array; low: number } {
  const isLow = new Uint8Array(mode.bookCount);
  let low = 0;
  for (const { position, weight } of mode.books()) {
    const probability = probabilityOf(mode, weight);
    if (low + probability / 2 > 0.5) break;
    isLow[position] = 1;
    low += probability;
  }
  return { isLow, low };
}

function probabilityOf(mode: MathMode, weight: bigint): number {
  return Number(weight) / Number(mode.totalWeight);
}

function passable({ degrees, p }: { degrees: number; p: number }): number | undefined {
  return degrees < 1 ? undefined : p;
}

function sum(numbers: ArrayLike<number>): number {
  let total = 0;
  for (let at = 0; at < numbers.length; at += 1) total += numbers[at] as number;
  return total;
}
