import { tiltTo } from './tilt.ts';

/**
 * An absent target is left free. `rtp` is mean payout ÷ cost, above 0. `hitRate` is the probability
 * of a payout above zero, between 0 and 1. `maxWinOneIn`, above 1, is the number of rounds in which
 * the greatest win comes once. `standardDeviation` is that of payout ÷ cost, above 0; it is the
 * volatility.
 */
export type TuneTargets = { rtp: number } & {
  [Name in 'hitRate' | 'maxWinOneIn' | 'standardDeviation']?: number | undefined;
};

/** `values` has the distinct payouts in hundredths, ascending; `probabilities` that of each. */
export type Payouts = { values: number[]; probabilities: number[] };

/** The RTP may differ from its target by this part of it. */
export const MAX_RTP_ERROR = 1e-9;
/** Each other value may differ from its target by this part of it. */
export const MAX_SHARE_ERROR = 1e-6;

/** Says what is wrong with the targets, whatever the table. */
export function targetIssue({ rtp, hitRate, maxWinOneIn, standardDeviation }: TuneTargets): string | undefined {
  if (!(rtp > 0 && rtp < Number.POSITIVE_INFINITY)) return `the RTP must be a number above 0, such as 0.96, not ${rtp}`;
  if (hitRate !== undefined && !(hitRate > 0 && hitRate < 1)) {
    return `the hit rate must be a number between 0 and 1, not ${hitRate}`;
  }
  if (maxWinOneIn !== undefined && !(maxWinOneIn > 1 && maxWinOneIn < Number.POSITIVE_INFINITY)) {
    return `the odds of the maximum win are 1 in a number above 1, not ${maxWinOneIn}`;
  }
  if (standardDeviation !== undefined && !(standardDeviation > 0 && standardDeviation < Number.POSITIVE_INFINITY)) {
    return `the standard deviation must be a number above 0, not ${standardDeviation}`;
  }
  if (hitRate !== undefined && maxWinOneIn !== undefined && 1 / maxWinOneIn >= hitRate) {
    return `the maximum win alone, 1 in ${maxWinOneIn}, would pay as often as the hit rate of ${hitRate} allows for all wins`;
  }
  return undefined;
}

type Solved = { ok: true; probabilities: number[] } | { ok: false; reason: string };
/** Mean payout and cost are in hundredths of the base bet. */
type Wanted = TuneTargets & { mean: number; stake: number };

/**
 * The targets fix the probability of a payout (by its place), and the payouts that share the rest.
 */
type Split = { fixed: ReadonlyMap<number, number>; free: number[]; rest: number };

/**
 * Finds the probability of each payout that meets the targets, or the range that the table allows.
 */
export function solveTargets(given: Payouts, wanted: Wanted): Solved {
  const { values } = given;
  const split = splitPayouts(given, wanted);
  if (typeof split === 'string') return { ok: false, reason: split };
  const { fixed, free, rest } = split;
  const fixedMean = fixedSum(split, (place) => values[place] as number);
  const meanOf = (place: number | undefined): number =>
    fixedMean + (place === undefined ? 0 : (values[place] as number) * rest);
  const [least, most] = [meanOf(free[0]), meanOf(free.at(-1))];
  const allowsOneMean = free.length < 2;
  const isReachable = allowsOneMean
    ? Math.abs(wanted.mean - most) <= MAX_RTP_ERROR * wanted.mean
    : wanted.mean > least && wanted.mean < most;
  if (!isReachable) return { ok: false, reason: rangeText(wanted, { least, most, allowsOneMean }) };
  const freeMean = rest > 0 ? (wanted.mean - fixedMean) / rest : 0;
  const volatility = volatilityOf(given, { split, freeMean, wanted });
  if (!volatility.ok) return volatility;
  const distribution = {
    payouts: free.map((place) => values[place] as number),
    probabilities: free.map((place) => given.probabilities[place] as number),
  };
  const shares = allowsOneMean ? free.map(() => 1) : tiltTo(distribution, { mean: freeMean, ...volatility });
  const probabilities = values.map((_, place) => fixed.get(place) ?? 0);
  for (const [index, place] of free.entries()) probabilities[place] = (shares[index] as number) * rest;
  return { ok: true, probabilities };
}

function fixedSum({ fixed }: Split, value: (place: number) => number): number {
  return [...fixed].reduce((sum, [place, probability]) => sum + value(place) * probability, 0);
}

type Volatility = { ok: true; secondMoment: number | undefined } | { ok: false; reason: string };

/**
 * Finds the second moment of the free payouts that gives the standard deviation. With a given mean
 * it is least on the two payouts around the mean, and most on the two ends.
 */
function volatilityOf(
  { values }: Payouts,
  { split, freeMean, wanted }: { split: Split; freeMean: number; wanted: Wanted },
): Volatility {
  const { mean, stake, standardDeviation } = wanted;
  if (standardDeviation === undefined) return { ok: true, secondMoment: undefined };
  const payouts = split.free.map((place) => values[place] as number);
  const fixedSquares = fixedSum(split, (place) => (values[place] as number) ** 2);
  /** Returns the standard deviation with all of the free probability on two payouts. */
  const deviationOn = (low = 0, high = 0): number => {
    const square = (low + high) * freeMean - low * high;
    return Math.sqrt(Math.max(0, fixedSquares + split.rest * square - mean ** 2)) / stake;
  };
  const above = payouts.findIndex((payout) => payout >= freeMean);
  const least = deviationOn(payouts[above] === freeMean ? freeMean : payouts[above - 1], payouts[above]);
  const most = deviationOn(payouts[0], payouts.at(-1));
  // The mean alone fixes the probabilities of two free payouts, so it allows one deviation.
  const allowsOne = payouts.length < 3;
  if (allowsOne && Math.abs(standardDeviation - most) <= MAX_SHARE_ERROR * standardDeviation)
    return { ok: true, secondMoment: undefined };
  if (allowsOne || standardDeviation <= least || standardDeviation >= most)
    return { ok: false, reason: deviationText(wanted, { least, most, allowsOne }) };
  const square = (standardDeviation * stake) ** 2 + mean ** 2 - fixedSquares;
  return { ok: true, secondMoment: square / split.rest };
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

function rangeText(wanted: Wanted, range: { least: number; most: number; allowsOneMean: boolean }): string {
  const { rtp, mean } = wanted;
  const percent = (value: number): string => `${((value * rtp * 100) / mean).toPrecision(6)} %`;
  const names = otherTargets(wanted);
  const given = names.length === 0 ? 'its payouts' : names.join(' and ');
  const allowed = range.allowsOneMean
    ? `only ${percent(range.most)}`
    : `RTPs above ${percent(range.least)} and below ${percent(range.most)}`;
  return `an RTP of ${(rtp * 100).toPrecision(6)} % is out of reach: with ${given} the table allows ${allowed}`;
}

function deviationText(
  wanted: Wanted,
  { least, most, allowsOne }: { least: number; most: number; allowsOne: boolean },
): string {
  const given = ['this RTP', ...otherTargets(wanted)].join(' and ');
  const allowed = allowsOne
    ? `only ${most.toPrecision(6)}`
    : `standard deviations above ${least.toPrecision(6)} and below ${most.toPrecision(6)}`;
  return `a standard deviation of ${wanted.standardDeviation} is out of reach: with ${given} the table allows ${allowed}`;
}

function otherTargets({ hitRate, maxWinOneIn }: Wanted): string[] {
  return [
    ...(hitRate === undefined ? [] : ['this hit rate']),
    ...(maxWinOneIn === undefined ? [] : ['these odds of the maximum win']),
  ];
}
