import { type Decimal, parsePositiveDecimal, ratio } from '../decimal.ts';
import type { ModeRows } from '../read/storeFiles.ts';

/**
 * A bucket has the payouts from `from` up to but without `to`, in base bets. The first bucket (0 to
 * 0) is the rounds that pay nothing, the second leaves them out, and the last has no `to`.
 */
export type PayoutBucket = { from: number; to?: number; probability: number; rtpShare: number };

/**
 * Mean, variance and skewness of a lookup table follow from these exact sums over its rows. Payouts
 * are in hundredths of the base bet.
 */
export type PayoutMoments = {
  totalWeight: bigint;
  /** The sum of the weights of the rows that pay. */
  hitWeight: bigint;
  /** The sum of weight × payout; the next two have payout² and payout³ in its place. */
  sum: bigint;
  sumOfSquares: bigint;
  sumOfCubes: bigint;
  /** The greatest payout with a weight above zero. */
  max: bigint;
};

/** Probabilities and returns are fractions of 1, computed exactly and rounded once at the end. */
export type ModeStatistics = {
  /** It is mean payout ÷ cost: 0.97 is 97 %. */
  rtp: number;
  /** It is that of payout ÷ cost. */
  standardDeviation: number;
  /** The probability of a payout above zero. */
  hitRate: number;
  /** The greatest payout with a weight above zero, in hundredths. */
  maxWin: bigint;
  /** The greatest win comes once in this number of rounds. */
  maxWinOneIn: number;
  /** The smallest payout that at least half of all rounds do not exceed, in hundredths. */
  medianPayout: bigint;
  distinctPayouts: number;
  zeroWeightRows: number;
  /** The number of distinct payouts that are not multiples of 0.1 × the base bet. */
  payoutsOffStep: number;
  /** Probabilities add up to 1, shares of the return to `rtp`. */
  histogram: PayoutBucket[];
  moments: PayoutMoments;
};

/** The bounds of the histogram's buckets, in hundredths. */
const BUCKET_BOUNDS = [0n, 1n, 100n, 200n, 500n, 1000n, 2000n, 5000n, 10_000n, 20_000n, 50_000n, 100_000n, 500_000n];
const PAYOUT_STEP = 10n;

type WeightedRows = Pick<ModeRows, 'cumulative' | 'payoutIndexes' | 'distinctPayouts'>;

export function modeStatistics(rows: WeightedRows, cost: string): ModeStatistics {
  const payouts = [...rows.distinctPayouts];
  const { weights, zeroWeightRows } = weightPerPayout(rows);
  const total = rows.cumulative[rows.cumulative.length - 1] as bigint;
  const { sum, sumOfSquares, sumOfCubes } = sumsOf(payouts, weights);
  const price = priceOf(cost);
  const scale = 10n ** BigInt(price.scale);
  // The price is in hundredths of the base bet, as payouts are.
  const stake = price.numerator * 100n;
  const lastWin = weights.findLastIndex((weight) => weight > 0n);
  const hitWeight = total - (payouts[0] === 0n ? (weights[0] as bigint) : 0n);
  const max = payouts[lastWin] as bigint;
  return {
    rtp: ratio(sum * scale, total * stake),
    standardDeviation: Math.sqrt(ratio((total * sumOfSquares - sum * sum) * scale * scale, (total * stake) ** 2n)),
    hitRate: ratio(hitWeight, total),
    maxWin: max,
    maxWinOneIn: ratio(total, weights[lastWin] as bigint),
    medianPayout: medianOf(payouts, weights, total),
    distinctPayouts: payouts.length,
    zeroWeightRows,
    payoutsOffStep: payouts.filter((payout) => payout % PAYOUT_STEP !== 0n).length,
    histogram: histogramOf(payouts, weights, { total, stake, scale }),
    moments: { totalWeight: total, hitWeight, sum, sumOfSquares, sumOfCubes, max },
  };
}

/** Throws RangeError for a text that is not a decimal above zero. */
export function priceOf(cost: string): Decimal {
  const price = parsePositiveDecimal(cost);
  if (price === undefined) throw new RangeError(`the cost "${cost}" is not a positive decimal`);
  return price;
}

function weightPerPayout({ cumulative, payoutIndexes, distinctPayouts }: WeightedRows): {
  weights: bigint[];
  zeroWeightRows: number;
} {
  const weights = new BigUint64Array(distinctPayouts.length);
  let zeroWeightRows = 0;
  let before = 0n;
  for (let row = 0; row < cumulative.length; row += 1) {
    const sum = cumulative[row] as bigint;
    const payout = payoutIndexes[row] as number;
    if (sum === before) zeroWeightRows += 1;
    else weights[payout] = (weights[payout] as bigint) + sum - before;
    before = sum;
  }
  return { weights: [...weights], zeroWeightRows };
}

type Sums = Pick<PayoutMoments, 'sum' | 'sumOfSquares' | 'sumOfCubes'>;

function sumsOf(payouts: readonly bigint[], weights: readonly bigint[]): Sums {
  let sum = 0n;
  let sumOfSquares = 0n;
  let sumOfCubes = 0n;
  for (const [index, payout] of payouts.entries()) {
    const product = payout * (weights[index] as bigint);
    sum += product;
    sumOfSquares += product * payout;
    sumOfCubes += product * payout * payout;
  }
  return { sum, sumOfSquares, sumOfCubes };
}

function medianOf(payouts: readonly bigint[], weights: readonly bigint[], total: bigint): bigint {
  let below = 0n;
  const index = weights.findIndex((weight) => {
    below += weight;
    return below * 2n >= total;
  });
  return payouts[index] as bigint;
}

type Totals = { total: bigint; stake: bigint; scale: bigint };

/** A payout is in it from `start` up to but without `end`, in hundredths. */
type Bucket = { start: bigint; end: bigint | undefined; label: Pick<PayoutBucket, 'from' | 'to'> };

/** Returns the buckets of the histogram for a table whose greatest payout is `max`. */
export function bucketsUpTo(max: bigint): Bucket[] {
  return BUCKET_BOUNDS.filter((bound) => bound <= max).map((start, index) => {
    const end = BUCKET_BOUNDS[index + 1];
    // One hundredth, the start of the smallest wins, is shown as 0.
    const from = start === 1n ? 0 : Number(start) / 100;
    return { start, end, label: { from, ...(end !== undefined && { to: start === 0n ? 0 : Number(end) / 100 }) } };
  });
}

function histogramOf(payouts: readonly bigint[], weights: readonly bigint[], totals: Totals): PayoutBucket[] {
  return bucketsUpTo(payouts[payouts.length - 1] as bigint).map(({ start, end, label }) => {
    let weight = 0n;
    let sum = 0n;
    for (const [place, payout] of payouts.entries()) {
      if (payout < start || (end !== undefined && payout >= end)) continue;
      weight += weights[place] as bigint;
      sum += payout * (weights[place] as bigint);
    }
    return {
      ...label,
      probability: ratio(weight, totals.total),
      rtpShare: ratio(sum * totals.scale, totals.total * totals.stake),
    };
  });
}
