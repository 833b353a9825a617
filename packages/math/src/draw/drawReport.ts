import { ratio } from '../decimal.ts';
import { groupOf } from '../statistics/bookGroups.ts';
import { type ChiSquareTest, chiSquareTest } from '../statistics/chiSquare.ts';
import { bucketsUpTo, type PayoutBucket, priceOf } from '../statistics/statistics.ts';
import type { MathMode } from '../types.ts';

/**
 * It counts the rounds whose payout is in a bucket of the histogram, and how many the table
 * expects.
 */
export type DrawnBucket = Pick<PayoutBucket, 'from' | 'to'> & { drawn: number; expected: number };

/** Fractions are of 1, computed from exact sums and rounded once at the end. */
export type DrawReport = {
  rounds: number;
  /** It is Σ payout, in hundredths of the base bet. */
  payouts: bigint;
  /** It is payouts ÷ costs. */
  rtp: number;
  /** It is that of payout ÷ cost, over these rounds. */
  standardDeviation: number;
  hits: number;
  hitRate: number;
  /**
   * The number of rounds that paid the greatest payout of the table, and the number that it
   * expects.
   */
  maxWins: { drawn: number; expected: number };
  buckets: DrawnBucket[];
  /** It tests the buckets. */
  payoutTest: ChiSquareTest;
  /**
   * It tests groups of consecutive books, so it also sees a wrong choice among books that pay the
   * same.
   */
  bookTest: ChiSquareTest;
};

const MOST_GROUPS = 1_000;
/** With this number of draws per group the test joins no two groups. */
const DRAWS_PER_GROUP = 10;

/**
 * Compares what `drawRounds` has drawn with what the lookup table says. `counts` are by position.
 */
export function drawReport(mode: MathMode, counts: Float64Array): DrawReport {
  const rounds = counts.reduce((sum, count) => sum + count, 0);
  const { maxWin, maxWinOneIn, moments } = mode.statistics();
  const { drawn, weights } = byPayout(mode, counts);
  let [payouts, squares] = [0n, 0n];
  for (const [payout, count] of drawn) {
    payouts += payout * BigInt(count);
    squares += payout * payout * BigInt(count);
  }
  const hits = rounds - (drawn.get(0n) ?? 0);
  const buckets = bucketsUpTo(mode.distinctPayouts.at(-1) as bigint).map(({ start, end, label }): DrawnBucket => {
    const inside = mode.distinctPayouts.filter((payout) => payout >= start && (end === undefined || payout < end));
    const weight = inside.reduce((sum, payout) => sum + (weights.get(payout) ?? 0n), 0n);
    return {
      ...label,
      drawn: inside.reduce((sum, payout) => sum + (drawn.get(payout) ?? 0), 0),
      expected: rounds * ratio(weight, moments.totalWeight),
    };
  });
  return {
    rounds,
    payouts,
    ...returnsOf(mode.cost, { rounds: BigInt(rounds), payouts, squares }),
    hits,
    hitRate: hits / rounds,
    maxWins: { drawn: drawn.get(maxWin) ?? 0, expected: rounds / maxWinOneIn },
    buckets,
    payoutTest: chiSquareTest(
      buckets.map((bucket) => bucket.drawn),
      buckets.map((bucket) => bucket.expected),
    ),
    bookTest: bookTest(mode, counts, rounds),
  };
}

type ByPayout = { drawn: Map<bigint, number>; weights: Map<bigint, bigint> };

function byPayout(mode: MathMode, counts: Float64Array): ByPayout {
  const drawn = new Map<bigint, number>();
  const weights = new Map<bigint, bigint>();
  for (const { position, payoutMultiplier, weight } of mode.books()) {
    const count = counts[position] as number;
    if (weight === 0n && count > 0) throw new Error(`the book at position ${position} has no weight and was drawn`);
    drawn.set(payoutMultiplier, (drawn.get(payoutMultiplier) ?? 0) + count);
    weights.set(payoutMultiplier, (weights.get(payoutMultiplier) ?? 0n) + weight);
  }
  return { drawn, weights };
}

type Sums = { rounds: bigint; payouts: bigint; squares: bigint };

function returnsOf(cost: string, { rounds, payouts, squares }: Sums): Pick<DrawReport, 'rtp' | 'standardDeviation'> {
  const price = priceOf(cost);
  const scale = 10n ** BigInt(price.scale);
  const stakes = rounds * price.numerator * 100n;
  return {
    rtp: ratio(payouts * scale, stakes),
    standardDeviation: Math.sqrt(ratio((rounds * squares - payouts * payouts) * scale * scale, stakes * stakes)),
  };
}

function bookTest(mode: MathMode, counts: Float64Array, rounds: number): ChiSquareTest {
  const groups = mode.groups(Math.max(1, Math.min(MOST_GROUPS, Math.floor(rounds / DRAWS_PER_GROUP))));
  const drawn = new Float64Array(groups.length);
  for (const [position, count] of counts.entries()) {
    if (count === 0) continue;
    const group = groupOf(groups, position);
    drawn[group] = (drawn[group] as number) + count;
  }
  return chiSquareTest(
    drawn,
    groups.map(({ probability }) => probability * rounds),
  );
}
