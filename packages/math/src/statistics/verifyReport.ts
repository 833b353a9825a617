import { decimalText, missedDecimal } from '../decimal.ts';
import type { MathMode, MathPackage, PublishedFile } from '../types.ts';
import type { ModeStatistics, PayoutBucket } from './statistics.ts';

export type WarningCode =
  | 'RTP'
  | 'RTP_SPREAD'
  | 'MAX_WIN'
  | 'HIT_RATE'
  | 'PAYOUT_STEP'
  | 'COST'
  | 'BASE_COST'
  | 'PAYOUT_UNIT'
  | 'CONSTANT'
  | 'ZERO_WEIGHT'
  | 'BOOK_SIZE';

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
const RAREST_MAX_WIN = 10_000_000;
const RAREST_HIT = 20;
/** This mode is the one that a game opens with. */
const BASE = 'BASE';
const MAX_ZERO_WEIGHT_SHARE = 1 / 4;
const BYTES_PER_KIB = 1024;
const MAX_BOOK_KIB = 512;
/**
 * Exact decimals such as 0.9 or 96.5 − 96 are not exact as numbers, so less than this crosses no
 * limit.
 */
const TOLERANCE = 1e-12;

/**
 * Computes the numbers of every mode and what a reviewer would ask about. It takes as long as one
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
  if (isUsual(rtp)) return undefined;
  return { code: 'RTP', mode: mode.name, message: `RTP is ${(rtp * 100).toFixed(3)} %, outside 90 to 98 %` };
}

function isUsual(rtp: number): boolean {
  return rtp >= RTP_RANGE.min - TOLERANCE && rtp <= RTP_RANGE.max + TOLERANCE;
}

function modeWarnings(mode: MathMode): VerifyWarning[] {
  const rtp = rtpWarning(mode);
  const statistics = mode.statistics();
  const others = Object.entries(CHECKS).flatMap(([code, check]) => {
    const message = check(mode, statistics);
    return message === undefined ? [] : [{ code: code as ModeCheck, mode: mode.name, message }];
  });
  return rtp === undefined ? others : [rtp, ...others];
}

type ModeCheck = Exclude<WarningCode, 'RTP' | 'RTP_SPREAD'>;
type Check = (mode: MathMode, statistics: ModeStatistics) => string | undefined;

/** Each returns the message of its warning, in the order in which they are printed. */
const CHECKS: Readonly<Record<ModeCheck, Check>> = {
  PAYOUT_UNIT({ cost }, { rtp }) {
    if (rtp === 0 || isUsual(rtp)) return undefined;
    const price = Number(cost);
    if (price !== 1 && isUsual(rtp * price))
      return 'payouts look like multiples of the cost: the table wants hundredths of the base bet';
    return isUsual(rtp * 100)
      ? 'payouts look like whole multiples: the table wants hundredths of the base bet'
      : undefined;
  },
  COST({ cost }) {
    const meant = missedDecimal(cost);
    return meant && `the cost is ${cost}, probably ${meant}: write this in index.json`;
  },
  BASE_COST({ key, cost }) {
    return key === BASE && Number(cost) !== 1 ? `a bet costs ${cost}×: that of a base mode costs 1×` : undefined;
  },
  MAX_WIN(_, { maxWinOneIn }) {
    if (maxWinOneIn <= RAREST_MAX_WIN) return undefined;
    return `the maximum win comes once in ${Math.round(maxWinOneIn)} rounds, rarer than 1 in ${RAREST_MAX_WIN}`;
  },
  HIT_RATE(_, { hitRate }) {
    if (hitRate * RAREST_HIT >= 1 - TOLERANCE) return undefined;
    const odds = hitRate === 0 ? 'no round' : `1 round in ${(1 / hitRate).toFixed(1)}`;
    return `${odds} pays anything, fewer than 1 in ${RAREST_HIT}`;
  },
  CONSTANT(_, { hitRate, standardDeviation, maxWin }) {
    if (hitRate === 0 || standardDeviation > 0) return undefined;
    return `every round pays ${decimalText({ numerator: maxWin, scale: 2 })}×`;
  },
  ZERO_WEIGHT({ bookCount }, { zeroWeightRows }) {
    if (zeroWeightRows <= bookCount * MAX_ZERO_WEIGHT_SHARE) return undefined;
    return `${zeroWeightRows} of ${bookCount} rows have weight 0: their books are never drawn`;
  },
  PAYOUT_STEP(_, { payoutsOffStep }) {
    if (payoutsOffStep === 0) return undefined;
    return `${payoutsOffStep} distinct payouts are not multiples of 0.1 × the base bet`;
  },
  BOOK_SIZE(mode) {
    const limit = MAX_BOOK_KIB * BYTES_PER_KIB;
    let count = 0;
    let largest = { bookID: 0, eventBytes: 0 };
    for (const book of mode.books()) {
      if (book.eventBytes > limit) count += 1;
      if (book.eventBytes > largest.eventBytes) largest = book;
    }
    if (count === 0) return undefined;
    const size = `${(largest.eventBytes / BYTES_PER_KIB).toFixed(1)} KiB`;
    const others = count === 1 ? '' : `, and ${count - 1} more are above it`;
    return `the events of book ${largest.bookID} have ${size}, more than ${MAX_BOOK_KIB} KiB${others}`;
  },
};
