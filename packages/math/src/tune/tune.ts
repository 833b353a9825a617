import { type ModeStatistics, modeStatistics } from '../statistics/statistics.ts';
import type { TunableMode } from '../types.ts';
import { integerWeights } from './integerWeights.ts';
import {
  MAX_RTP_ERROR,
  MAX_SHARE_ERROR,
  type Payouts,
  solveTargets,
  type TuneTargets,
  targetIssue,
} from './tuneTargets.ts';

/** Row n has the new weight of the book at position n. */
export type TunedMode = {
  weights: BigUint64Array;
  before: ModeStatistics;
  after: ModeStatistics;
  /** The probability of a book after ÷ before: the smallest and the largest of all books. */
  smallestChange: number;
  largestChange: number;
  /**
   * It is the relative entropy of the new weights to the old ones, in bits: 0 when nothing changes.
   */
  divergenceBits: number;
};

/** `reason` is a sentence that names what the table allows. */
export type TuneOutcome = { ok: true; value: TunedMode } | { ok: false; reason: string };

/**
 * Returns the weights that meet the targets and change the given ones the least: those with the
 * smallest relative entropy to the given ones. Such weights are the given ones times a factor for
 * each payout: fixed by its target for the payout 0 and the greatest payout, and proportional to
 * exp(λ × payout) for the others, or to exp(λ × payout + ν × payout²) with a target for the
 * standard deviation. Books of weight zero stay at zero; no other falls to zero.
 */
export function tuneMode(mode: TunableMode, targets: TuneTargets): TuneOutcome {
  const issue = targetIssue(targets);
  if (issue !== undefined) return { ok: false, reason: issue };
  const given = payoutsOf(mode);
  const stake = Number(mode.cost) * 100;
  const solved = solveTargets(given, { ...targets, stake, mean: targets.rtp * stake });
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

function missesTargets(after: ModeStatistics, targets: TuneTargets): boolean {
  const { rtp, hitRate, maxWinOneIn, standardDeviation } = targets;
  const isOff = (value: number, target: number | undefined, tolerance: number): boolean =>
    target !== undefined && Math.abs(value - target) > tolerance * target;
  return (
    isOff(after.rtp, rtp, MAX_RTP_ERROR) ||
    isOff(after.hitRate, hitRate, MAX_SHARE_ERROR) ||
    isOff(after.maxWinOneIn, maxWinOneIn, MAX_SHARE_ERROR) ||
    isOff(after.standardDeviation, standardDeviation, MAX_SHARE_ERROR)
  );
}
