import { decimalText } from '../decimal.ts';
import type { MathMode, MathPackage, PublishedFile } from '../types.ts';
import type { PayoutBucket } from './statistics.ts';

export type WarningCode = 'RTP' | 'RTP_SPREAD' | 'MAX_WIN' | 'HIT_RATE' | 'PAYOUT_STEP';

/**
 * A certification reviewer would ask about it. `mode` is absent when the warning is about the
 * package.
 */
export type VerifyWarning = { code: WarningCode; mode?: string; message: string };

/**
 * Fractions are of 1; `maxWin` and `medianPayout` are exact decimal text in base bets, such as
 * "12.5".
 */
export type ModeReport = {
  name: string;
  cost: string;
  books: number;
  totalWeight: string;
  rtp: number;
  standardDeviation: number;
  hitRate: number;
  maxWin: string;
  maxWinOneIn: number;
  medianPayout: string;
  distinctPayouts: number;
  zeroWeightRows: number;
  histogram: PayoutBucket[];
  files: { table: PublishedFile; books: PublishedFile };
  /** It commits to the rows of the table and to their books, in hex. */
  merkleRoot: string;
};

/** It is plain data: JSON.stringify keeps all of it. `rtpSpreadPoints` is in percentage points. */
export type VerifyReport = { sha256: string; modes: ModeReport[]; rtpSpreadPoints: number; warnings: VerifyWarning[] };

const RTP_RANGE = { min: 0.9, max: 0.98 };
const MAX_RTP_SPREAD_POINTS = 0.5;
const RAREST_MAX_WIN = 20_000_000;
const RAREST_HIT = 20;
/**
 * Exact decimals such as 0.9 or 96.5 − 96 are not exact as numbers, so less than this crosses no
 * limit.
 */
const TOLERANCE = 1e-12;

/**
 * Computes the figures of every mode and what a reviewer would ask about. It takes as long as one
 * pass over all rows.
 */
export function verifyReport(math: MathPackage): VerifyReport {
  const modes = [...math.modes.values()];
  const returns = modes.map((mode) => mode.statistics().rtp);
  const rtpSpreadPoints = (Math.max(...returns) - Math.min(...returns)) * 100;
  const warnings = modes.flatMap(modeWarnings);
  if (rtpSpreadPoints > MAX_RTP_SPREAD_POINTS + TOLERANCE) {
    const message = `the RTP of the modes differs by ${rtpSpreadPoints.toFixed(2)} points, more than ${MAX_RTP_SPREAD_POINTS}`;
    warnings.push({ code: 'RTP_SPREAD', message });
  }
  return { sha256: math.sha256, modes: modes.map(modeReport), rtpSpreadPoints, warnings };
}

function modeReport(mode: MathMode): ModeReport {
  const { payoutsOffStep: _, moments: __, maxWin, medianPayout, ...statistics } = mode.statistics();
  return {
    name: mode.name,
    cost: mode.cost,
    books: mode.bookCount,
    totalWeight: mode.totalWeight.toString(),
    ...statistics,
    maxWin: decimalText({ numerator: maxWin, scale: 2 }),
    medianPayout: decimalText({ numerator: medianPayout, scale: 2 }),
    files: mode.files,
    merkleRoot: mode.commitment.root,
  };
}

/**
 * Returns the one warning that is worth a line at every start; undefined when the mode returns what
 * is usual.
 */
export function rtpWarning(mode: MathMode): VerifyWarning | undefined {
  const { rtp } = mode.statistics();
  if (rtp >= RTP_RANGE.min - TOLERANCE && rtp <= RTP_RANGE.max + TOLERANCE) return undefined;
  return { code: 'RTP', mode: mode.name, message: `RTP is ${(rtp * 100).toFixed(3)} %, outside 90 to 98 %` };
}

function modeWarnings(math: MathMode): VerifyWarning[] {
  const { maxWinOneIn, hitRate, payoutsOffStep } = math.statistics();
  const mode = math.name;
  const warnings: VerifyWarning[] = [];
  const rtp = rtpWarning(math);
  if (rtp !== undefined) warnings.push(rtp);
  if (maxWinOneIn > RAREST_MAX_WIN) {
    const message = `the maximum win comes once in ${Math.round(maxWinOneIn)} rounds, rarer than 1 in ${RAREST_MAX_WIN}`;
    warnings.push({ code: 'MAX_WIN', mode, message });
  }
  if (hitRate * RAREST_HIT < 1 - TOLERANCE) {
    const odds = hitRate === 0 ? 'no round' : `1 round in ${(1 / hitRate).toFixed(1)}`;
    warnings.push({ code: 'HIT_RATE', mode, message: `${odds} pays anything, fewer than 1 in ${RAREST_HIT}` });
  }
  if (payoutsOffStep > 0) {
    const message = `${payoutsOffStep} distinct payouts are not multiples of 0.1 × the base bet`;
    warnings.push({ code: 'PAYOUT_STEP', mode, message });
  }
  return warnings;
}
