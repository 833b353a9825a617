/** Payouts ascend, each with its probability as given, above zero. */
export type Distribution = { readonly payouts: readonly number[]; readonly probabilities: readonly number[] };

/** `secondMoment` is the mean of the squares of the payouts; it is free when left out. */
export type Moments = { mean: number; secondMoment?: number | undefined };

const MAX_FACTOR = 2 ** 40;
/** Below this relative difference no further step of the search changes a weight. */
const EXACT_ENOUGH = 1e-13;

/**
 * Finds, of all distributions with these moments, the one with the smallest relative entropy to the
 * given one. It has the given probabilities, each times exp(λ × d + ν × d²), where d is the
 * payout's distance from the mean, scaled to a sum of 1. The mean rises with λ, and where it is
 * kept the second moment rises with ν. So ν is sought, and for each ν the λ that gives the mean.
 * The moments must lie within what the payouts allow.
 */
export function tiltTo(given: Distribution, { mean, secondMoment }: Moments): number[] {
  const { payouts } = given;
  if (secondMoment === undefined) return sharesWithMean(given, { mean, bend: 0 });
  let shares: number[] = [];
  search((bend) => {
    shares = sharesWithMean(given, { mean, bend });
    const square = meanOf(shares, (place) => (payouts[place] as number) ** 2);
    return Math.abs(square - secondMoment) <= EXACT_ENOUGH * secondMoment ? 'found' : square < secondMoment;
  });
  return shares;
}

/** Finds the λ that gives the mean, for one ν: `bend`. */
function sharesWithMean({ payouts, probabilities }: Distribution, { mean, bend }: { mean: number; bend: number }) {
  // Distances are relative to the greatest payout, so that one start fits every table.
  const greatest = payouts.at(-1) as number;
  const distances = payouts.map((payout) => (payout - mean) / greatest);
  const logs = probabilities.map(
    (probability, place) => Math.log(probability) + bend * (distances[place] as number) ** 2,
  );
  const sharesAt = (tilt: number): number[] => {
    const exponents = logs.map((log, place) => log + tilt * (distances[place] as number));
    const highest = exponents.reduce((a, b) => Math.max(a, b));
    const parts = exponents.map((exponent) => Math.exp(exponent - highest));
    const sum = parts.reduce((a, b) => a + b, 0);
    return parts.map((part) => part / sum);
  };
  return sharesAt(search((tilt) => meanOf(sharesAt(tilt), (place) => distances[place] as number) < 0));
}

function meanOf(shares: readonly number[], value: (place: number) => number): number {
  return shares.reduce((sum, share, place) => sum + share * value(place), 0);
}

/**
 * Finds the factor at which `isBelow` turns from true to false, to the last digit, or the one
 * found.
 */
function search(isBelow: (factor: number) => boolean | 'found'): number {
  let [low, high] = [-1, 1];
  for (; low > -MAX_FACTOR; low *= 2) {
    const answer = isBelow(low);
    if (answer === 'found') return low;
    if (answer) break;
  }
  for (; high < MAX_FACTOR; high *= 2) {
    const answer = isBelow(high);
    if (answer === 'found') return high;
    if (!answer) break;
  }
  for (let middle = (low + high) / 2; middle > low && middle < high; middle = (low + high) / 2) {
    const answer = isBelow(middle);
    if (answer === 'found') return middle;
    if (answer) low = middle;
    else high = middle;
  }
  return low;
}
