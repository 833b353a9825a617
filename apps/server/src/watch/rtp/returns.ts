import type { PayoutMoments } from '@roundhouse/math';
import { type RoundSums, roundsToSee, rtpInterval, type Theory, theoryOf, zScore } from './bounds.ts';

/** The intervals that commands and pages show hold the RTP with this confidence. */
const CONFIDENCE = 0.999;
/** The RTP is a fraction of 1, so this is one point. */
const PRECISION = { confidence: CONFIDENCE, deviation: 0.01 };

/**
 * What rounds returned, beside their lookup table. RTPs are fractions of 1; null without rounds, or
 * without a stored table.
 */
export type Return = Record<'rtp' | 'tableRtp' | 'zScore' | 'low' | 'high', number | null>;

/** A mode of a version has this table; undefined when the database has none. */
export type Table = { cost: string; moments: PayoutMoments } | undefined;

export function tableTheory(table: Table): Theory | undefined {
  return table && theoryOf(table.cost, table.moments);
}

/** Compares the sums of rounds with what their lookup table returns. */
export function returnOf(sums: RoundSums, theory: Theory | undefined): Return {
  const isPlayed = sums.rounds > 0n;
  const interval = theory && isPlayed ? rtpInterval(sums, theory, CONFIDENCE) : undefined;
  return {
    rtp: isPlayed ? Number(sums.payouts) / Number(sums.bets) : null,
    tableRtp: theory?.rtp ?? null,
    zScore: (theory && isPlayed ? zScore(sums, theory) : undefined) ?? null,
    low: interval?.low ?? null,
    high: interval?.high ?? null,
  };
}

/** Returns about how many rounds like these make the interval one point wide to either side. */
export function roundsForOnePoint(sums: RoundSums, theory: Theory | undefined): number | null {
  return theory ? Math.ceil(roundsToSee(sums, theory, PRECISION)) : null;
}
