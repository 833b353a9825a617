import { integerWeights } from './integerWeights.ts';
import { type ModeStatistics, modeStatistics } from './statistics.ts';
import type { TunableMode } from './types.ts';

/**
 * `rtp`: mean payout ÷ cost, above 0. `hitRate`: probability of a payout above zero, between 0 and
 * 1.
 * `maxWinOneIn`: the greatest win comes once in so many rounds, above 1. What is absent is left
 * free.
 */
export type TuneTargets = { rtp: number; hitRate?: number | undefined; maxWinOneIn?: number | undefined };

/** Row n has the new weight of the book at position n. */
export type TunedMode = {
  weights: BigUint64Array;
  before: ModeStatistics;
  after: ModeStatistics;
  /** The probability of a book, after ÷ before: the smallest and the largest of all books. */
  smallestChange: number;
  largestChange: number;
  /** Relative entropy of the new weights to the old ones, in bits: 0 when nothing changes. */
  divergenceBits: number;
};

/** `reason`: a sentence that names what the table allows. */
export type TuneOutcome = { ok: true; value: TunedMode } | { ok: false; reason: string };

/** Distinct payouts in hundredths, ascending, each with its probability as published. */
type Payouts = { values: number[]; probabilities: number[] };

/** Relative to the target. */
const MAX_RTP_ERROR = 1e-9;
/** Of the hit rate and of the odds of the maximum win, relative to the target. */
const MAX_SHARE_ERROR = 1e-6;
const MAX_TILT = 2 ** 40;

/**
 * The weights that meet the targets and change the given ones the least: of all weights that meet
 * them, those with the smallest relative entropy to the given ones. Such weights are the given ones
 * times a factor for each payout: fixed by its target for the payout 0 and the greatest payout, and
 * proportional to exp(λ × payout) for the others. The mean rises with λ, so one λ gives the RTP.
 * Books of weight zero stay at zero; no other book falls to zero.
 */
export function tuneMode(mode: TunableMode, targets: TuneTargets): TuneOutcome {
  const issue = targetIssue(targets);
  if (issue !== undefined) return { ok: false, reason: issue };
  const given = payoutsOf(mode);
  const solved = solve(given, { ...targets, mean: targets.rtp * Number(mode.cost) * 100 });
  if (!solved.ok) return solved;
  const changes = given.probabilities.map((before, place) =>
    before === 0 ? 1 : (solved.probabilities[place] as number) / before,
  );
  const weights = integerWeights(mode, changes, targets.rtp);
  const after = statisticsWith(mode, weights);
  if (missesTargets(after, targets)) {
    return {
      ok: false,
      reason: 'the weights would lie too far apart for whole numbers: choose targets nearer to the table',
    };
  }
  return {
    ok: true,
    value: {
      weights,
      before: mode.statistics(),
      after,
      smallestChange: changes.reduce((a, b) => Math.min(a, b)),
      largestChange: changes.reduce((a, b) => Math.max(a, b)),
      divergenceBits: Math.max(
        0,
        changes.reduce(
          (sum, change, place) =>
            sum + (change === 0 ? 0 : (solved.probabilities[place] as number) * Math.log2(change)),
          0,
        ),
      ),
    },
  };
}

function targetIssue({ rtp, hitRate, maxWinOneIn }: TuneTargets): string | undefined {
  if (!(rtp > 0 && rtp < Number.POSITIVE_INFINITY)) return `the RTP must be a number above 0, such as 0.96, not ${rtp}`;
  if (hitRate !== undefined && !(hitRate > 0 && hitRate < 1)) {
    return `the hit rate must be a number between 0 and 1, not ${hitRate}`;
  }
  if (maxWinOneIn !== undefined && !(maxWinOneIn > 1 && maxWinOneIn < Number.POSITIVE_INFINITY)) {
    return `the odds of the maximum win are 1 in a number above 1, not ${maxWinOneIn}`;
  }
  if (hitRate !== undefined && maxWinOneIn !== undefined && 1 / maxWinOneIn >= hitRate) {
    return `the maximum win alone, 1 in ${maxWinOneIn}, would pay as often as the hit rate of ${hitRate} allows for all wins`;
  }
  return undefined;
}

function payoutsOf(mode: TunableMode): Payouts {
  const weights = new Map<bigint, bigint>();
  for (const { payoutMultiplier, weight } of mode.books()) {
    weights.set(payoutMultiplier, (weights.get(payoutMultiplier) ?? 0n) + weight);
  }
  return {
    values: mode.distinctPayouts.map(Number),
    probabilities: mode.distinctPayouts.map((payout) => Number(weights.get(payout)) / Number(mode.totalWeight)),
  };
}

type Solved = { ok: true; probabilities: number[] } | { ok: false; reason: string };
type Wanted = TuneTargets & { mean: number };

/**
 * What the targets fix: the probability of a payout (by its place), and the payouts that share the
 * rest.
 */
type Split = { fixed: ReadonlyMap<number, number>; free: number[]; rest: number };

function solve(given: Payouts, wanted: Wanted): Solved {
  const { values } = given;
  const split = splitPayouts(given, wanted);
  if (typeof split === 'string') return { ok: false, reason: split };
  const { fixed, free, rest } = split;
  const fixedMean = [...fixed].reduce((sum, [place, probability]) => sum + (values[place] as number) * probability, 0);
  const meanOf = (place: number | undefined): number =>
    fixedMean + (place === undefined ? 0 : (values[place] as number) * rest);
  const [least, most] = [meanOf(free[0]), meanOf(free.at(-1))];
  const isOneMean = free.length < 2;
  const isReachable = isOneMean
    ? Math.abs(wanted.mean - most) <= MAX_RTP_ERROR * wanted.mean
    : wanted.mean > least && wanted.mean < most;
  if (!isReachable) return { ok: false, reason: rangeText(wanted, { least, most, isOneMean }) };
  const shares = isOneMean ? free.map(() => 1) : sharesWithMean(given, free, (wanted.mean - fixedMean) / rest);
  const probabilities = values.map((_, place) => fixed.get(place) ?? 0);
  for (const [index, place] of free.entries()) probabilities[place] = (shares[index] as number) * rest;
  return { ok: true, probabilities };
}

function splitPayouts({ values, probabilities }: Payouts, { hitRate, maxWinOneIn }: Wanted): Split | string {
  const places = [...values.keys()].filter((place) => (probabilities[place] as number) > 0);
  const greatest = places.at(-1) as number;
  const zero = places.find((place) => values[place] === 0);
  const fixed = new Map<number, number>();
  if (greatest === zero) return 'no book with a weight above zero pays anything';
  if (hitRate !== undefined && zero === undefined)
    return 'every book with a weight above zero pays, so the hit rate is 1';
  if (hitRate !== undefined) fixed.set(zero as number, 1 - hitRate);
  if (maxWinOneIn !== undefined) fixed.set(greatest, 1 / maxWinOneIn);
  const free = places.filter((place) => !fixed.has(place));
  const rest = [...fixed.values()].reduce((left, probability) => left - probability, 1);
  if (free.length === 0 && rest > MAX_RTP_ERROR)
    return 'the targets leave probability for other payouts, and the table has none';
  return { fixed, free, rest };
}

/**
 * The given probabilities of `places`, each times exp(λ × payout), scaled to 1; λ is the one that
 * gives the mean.
 */
function sharesWithMean({ values, probabilities }: Payouts, places: readonly number[], mean: number): number[] {
  const payouts = places.map((place) => values[place] as number);
  const logs = places.map((place) => Math.log(probabilities[place] as number));
  const greatest = payouts.at(-1) as number;
  // λ is relative to the greatest payout here, so that one start fits every table.
  const sharesAt = (tilt: number): number[] => {
    const exponents = logs.map((log, index) => log + (tilt * (payouts[index] as number)) / greatest);
    const highest = exponents.reduce((a, b) => Math.max(a, b));
    const parts = exponents.map((exponent) => Math.exp(exponent - highest));
    const sum = parts.reduce((a, b) => a + b, 0);
    return parts.map((part) => part / sum);
  };
  const isBelow = (tilt: number): boolean =>
    sharesAt(tilt).reduce((sum, share, index) => sum + share * (payouts[index] as number), 0) < mean;
  let [low, high] = [-1, 1];
  while (!isBelow(low) && low > -MAX_TILT) low *= 2;
  while (isBelow(high) && high < MAX_TILT) high *= 2;
  for (let middle = (low + high) / 2; middle > low && middle < high; middle = (low + high) / 2) {
    if (isBelow(middle)) low = middle;
    else high = middle;
  }
  return sharesAt(low);
}

function rangeText(
  { rtp, mean, hitRate, maxWinOneIn }: Wanted,
  range: { least: number; most: number; isOneMean: boolean },
): string {
  const percent = (value: number): string => `${((value * rtp * 100) / mean).toPrecision(6)} %`;
  const fixed = [
    ...(hitRate === undefined ? [] : ['this hit rate']),
    ...(maxWinOneIn === undefined ? [] : ['these odds of the maximum win']),
  ];
  const given = fixed.length === 0 ? 'its payouts' : fixed.join(' and ');
  const allowed = range.isOneMean
    ? `only ${percent(range.most)}`
    : `RTPs above ${percent(range.least)} and below ${percent(range.most)}`;
  return `an RTP of ${(rtp * 100).toPrecision(6)} % is out of reach: with ${given} the table allows ${allowed}`;
}

function statisticsWith(mode: TunableMode, weights: BigUint64Array): ModeStatistics {
  const placeOf = new Map(mode.distinctPayouts.map((payout, place) => [payout, place]));
  const cumulative = new BigUint64Array(mode.bookCount);
  const payoutIndexes = new Uint32Array(mode.bookCount);
  let sum = 0n;
  for (const { position, payoutMultiplier } of mode.books()) {
    sum += weights[position] as bigint;
    cumulative[position] = sum;
    payoutIndexes[position] = placeOf.get(payoutMultiplier) as number;
  }
  return modeStatistics(
    { cumulative, payoutIndexes, distinctPayouts: BigUint64Array.from(mode.distinctPayouts) },
    mode.cost,
  );
}

function missesTargets(after: ModeStatistics, { rtp, hitRate, maxWinOneIn }: TuneTargets): boolean {
  const isOff = (value: number, target: number | undefined, tolerance: number): boolean =>
    target !== undefined && Math.abs(value - target) > tolerance * target;
  return (
    isOff(after.rtp, rtp, MAX_RTP_ERROR) ||
    isOff(after.hitRate, hitRate, MAX_SHARE_ERROR) ||
    isOff(after.maxWinOneIn, maxWinOneIn, MAX_SHARE_ERROR)
  );
}
