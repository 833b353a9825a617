import { type PayoutMoments, parsePositiveDecimal, ratio } from '@roundhouse/math';

/** The sums are over rounds that are complete and not void, in micros. maxBet: the largest bet. */
export type RoundSums = { rounds: bigint; bets: bigint; payouts: bigint; betSquares: bigint; maxBet: bigint };

export function sumOf(a: RoundSums, b: RoundSums): RoundSums {
  return {
    rounds: a.rounds + b.rounds,
    bets: a.bets + b.bets,
    payouts: a.payouts + b.payouts,
    betSquares: a.betSquares + b.betSquares,
    ...(a.maxBet > b.maxBet ? { maxBet: a.maxBet } : { maxBet: b.maxBet }),
  };
}

/** The lookup table of a mode gives exact sums, and what follows from them for a bet of 1. */
export type Theory = {
  cost: string;
  moments: PayoutMoments;
  rtp: number;
  variance: number;
  hitRate: number;
  /** No payout is greater. */
  max: number;
  /** The means of the square and the cube of the payout. */
  secondMoment: number;
  thirdMoment: number;
};

/** `cost` is the exact decimal text of a published mode. */
export function theoryOf(cost: string, moments: PayoutMoments): Theory {
  const { unit, stake } = unitOf(cost);
  const { totalWeight, hitWeight, sum, sumOfSquares, sumOfCubes, max } = moments;
  return {
    cost,
    moments,
    rtp: ratio(sum * unit, totalWeight * stake),
    variance: ratio((totalWeight * sumOfSquares - sum * sum) * unit ** 2n, (totalWeight * stake) ** 2n),
    hitRate: ratio(hitWeight, totalWeight),
    max: ratio(max * unit, stake),
    secondMoment: ratio(sumOfSquares * unit ** 2n, totalWeight * stake ** 2n),
    thirdMoment: ratio(sumOfCubes * unit ** 3n, totalWeight * stake ** 3n),
  };
}

/** Payouts in hundredths, × unit ÷ stake, are those for a bet of 1. */
function unitOf(cost: string): { unit: bigint; stake: bigint } {
  const price = parsePositiveDecimal(cost);
  if (price === undefined) throw new RangeError(`the cost "${cost}" is not a positive decimal`);
  return { unit: 10n ** BigInt(price.scale), stake: 100n * price.numerator };
}

/** Returns payouts above the expected ones, in largest bets; exact except for the last rounding. */
function excessOf({ bets, payouts, maxBet }: RoundSums, { cost, moments }: Theory): number {
  const { unit, stake } = unitOf(cost);
  const scale = moments.totalWeight * stake;
  return ratio(payouts * scale - bets * moments.sum * unit, scale * maxBet);
}

/**
 * Returns Σ bet² in squares of the largest bet: the number of largest bets with the same variance.
 */
function largestBetsOf({ betSquares, maxBet }: RoundSums): number {
  return ratio(betSquares, maxBet * maxBet);
}

/** Returns how many standard deviations payouts exceed the expected ones; undefined without any. */
export function zScore(sums: RoundSums, theory: Theory): number | undefined {
  const deviation = Math.sqrt(theory.variance * largestBetsOf(sums));
  return deviation > 0 ? excessOf(sums, theory) / deviation : undefined;
}

export type Interval = { low: number; high: number };

/**
 * Returns where the RTP of these rounds lies with at least this confidence, at one look, for any
 * number of rounds, any bets and any lookup table: Chernoff bounds, see docs/compliance/rtp.md.
 */
export function rtpInterval(sums: RoundSums, theory: Theory, confidence: number): Interval {
  const { below, above } = distances(amountOf(sums), theory, confidence);
  return { low: Math.max(0, theory.rtp - below), high: Math.min(theory.max, theory.rtp + above) };
}

/** Bets count as `largestBets` bets of the largest size; `share` is the largest bet ÷ all bets. */
type Amount = { largestBets: number; share: number };

function amountOf(sums: RoundSums): Amount {
  return { largestBets: largestBetsOf(sums), share: ratio(sums.maxBet, sums.bets) };
}

/** Returns how far the ends of the interval lie from the RTP of the table. */
function distances({ largestBets, share }: Amount, theory: Theory, confidence: number) {
  const perTail = Math.log(2 / (1 - confidence));
  const below = Math.sqrt(2 * perTail * theory.secondMoment * largestBets);
  const above = smallest((slope) => (largestBets * growth(slope, theory) + perTail) / slope, perTail / below);
  return { below: below * share, above: above * share };
}

type Precision = { confidence: number; deviation: number };

/**
 * Returns about how many rounds it takes, with bets as so far, until both ends of the interval lie
 * no farther from the RTP of the table than `deviation`. Before any round all bets count as one
 * size. Returns 0 for a table that pays nothing.
 */
export function roundsToSee(sums: RoundSums, theory: Theory, { confidence, deviation }: Precision): number {
  const isPlayed = sums.rounds > 0n;
  const { largestBets, share } = isPlayed ? amountOf(sums) : { largestBets: 1, share: 1 };
  const widthAt = (times: number): number => {
    const { below, above } = distances({ largestBets: largestBets * times, share: share / times }, theory, confidence);
    return Math.max(below, above);
  };
  if (theory.secondMoment === 0) return 0;
  let [low, high] = [1, 1];
  while (widthAt(low) <= deviation) low /= 2;
  while (widthAt(high) > deviation) high *= 2;
  while (high / low > 1 + 1e-9) {
    const middle = Math.sqrt(low * high);
    if (widthAt(middle) > deviation) low = middle;
    else high = middle;
  }
  return (isPlayed ? Number(sums.rounds) : 1) * high;
}

/**
 * Returns at least log E exp(slope × (Y − E Y)) of the payout Y of the largest bet. (e^x − 1 − x −
 * x²/2) ÷ x³ rises with x, so its value at the greatest payout bounds that of each payout.
 */
function growth(slope: number, { secondMoment, thirdMoment, max }: Theory): number {
  if (max === 0) return 0;
  const x = slope * max;
  const rest = Math.max(0, Math.expm1(x) - x - (x * x) / 2);
  return (secondMoment * slope * slope) / 2 + (thirdMoment / max ** 3) * rest;
}

const GOLDEN = (Math.sqrt(5) - 1) / 2;
const NARROWINGS = 80;

/** Returns the least value of a function with one valley below `end`. */
function smallest(value: (x: number) => number, end: number): number {
  if (!Number.isFinite(end)) return 0;
  let [low, high] = [Math.log(end) - 20, Math.log(end) + 2];
  for (let step = 0; step < NARROWINGS; step += 1) {
    const [left, right] = [high - GOLDEN * (high - low), low + GOLDEN * (high - low)];
    if (value(Math.exp(left)) < value(Math.exp(right))) high = right;
    else low = left;
  }
  return value(Math.exp((low + high) / 2));
}

/** Slopes run from 2^-1 to 2^-64 for a micro: they suit deviations of 1 to 2^64 micros. */
const SLOPES = 64;

/**
 * Returns the evidence against the lookup table. While the table is the true one, it exceeds 1 ÷
 * alpha with probability alpha at most, however often one looks: for each slope the terms below are
 * supermartingales that begin with 1 (Ville's inequality), and so is their mean.
 */
export function evidenceAgainst(sums: RoundSums, theory: Theory): number {
  const largestBet = Number(sums.maxBet);
  const largestBets = largestBetsOf(sums);
  const excess = excessOf(sums, theory);
  let total = 0;
  for (let halvings = 1; halvings <= SLOPES; halvings += 1) {
    const slope = largestBet * 2 ** -halvings;
    const tooMuch = slope * excess - largestBets * growth(slope, theory);
    const tooLittle = -slope * excess - (largestBets * theory.secondMoment * slope * slope) / 2;
    // A slope far too steep for these bets gives Infinity − Infinity.
    total += (Number.isNaN(tooMuch) ? 0 : Math.exp(tooMuch)) + Math.exp(tooLittle);
  }
  return total / (2 * SLOPES);
}
