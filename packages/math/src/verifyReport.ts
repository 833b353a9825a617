import { decimalText } from './decimal.ts';
import type { PayoutBucket } from './statistics.ts';
import type { MathMode, MathPackage, PublishedFile } from './types.ts';

export type WarningCode = 'RTP' | 'RTP_SPREAD' | 'MAX_WIN' | 'HIT_RATE' | 'PAYOUT_STEP';

/** What a certification reviewer would ask about. `mode` is absent when the warning is about the package. */
export type VerifyWarning = { code: WarningCode; mode?: string; message: string };

/** Fractions are of 1; `maxWin` and `medianPayout` are exact decimal text in base bets, such as "12.5". */
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
};

/** Plain data: JSON.stringify keeps all of it. `rtpSpreadPoints` in percentage points. */
export type VerifyReport = { sha256: string; modes: ModeReport[]; rtpSpreadPoints: number; warnings: VerifyWarning[] };

const rtpRange = { min: 0.9, max: 0.98 };
const maxRtpSpreadPoints = 0.5;
const rarestMaxWin = 20_000_000;
const rarestHit = 20;
/** Exact decimals such as 0.9 or 96.5 − 96 are not exact as numbers: a limit is not crossed by less than this. */
const tolerance = 1e-12;

/** The figures of every mode and what a reviewer would ask about. Takes as long as one pass over all rows. */
export function verifyReport(math: MathPackage): VerifyReport {
  const modes = [...math.modes.values()];
  const returns = modes.map((mode) => mode.statistics().rtp);
  const rtpSpreadPoints = (Math.max(...returns) - Math.min(...returns)) * 100;
  const warnings = modes.flatMap(modeWarnings);
  if (rtpSpreadPoints > maxRtpSpreadPoints + tolerance) {
    const message = `the RTP of the modes differs by ${rtpSpreadPoints.toFixed(2)} points, more than ${maxRtpSpreadPoints}`;
    warnings.push({ code: 'RTP_SPREAD', message });
  }
  return { sha256: math.sha256, modes: modes.map(modeReport), rtpSpreadPoints, warnings };
}

function modeReport(mode: MathMode): ModeReport {
  const { payoutsOffStep: _, maxWin, medianPayout, ...statistics } = mode.statistics();
  return {
    name: mode.name,
    cost: mode.cost,
    books: mode.bookCount,
    totalWeight: mode.totalWeight.toString(),
    ...statistics,
    maxWin: decimalText({ numerator: maxWin, scale: 2 }),
    medianPayout: decimalText({ numerator: medianPayout, scale: 2 }),
    files: mode.files,
  };
}

/** The warning that alone is worth a line at every start; undefined when the mode returns what is usual. */
export function rtpWarning(mode: MathMode): VerifyWarning | undefined {
  const { rtp } = mode.statistics();
  if (rtp >= rtpRange.min - tolerance && rtp <= rtpRange.max + tolerance) return undefined;
  return { code: 'RTP', mode: mode.name, message: `RTP is ${(rtp * 100).toFixed(3)} %, outside 90 to 98 %` };
}

function modeWarnings(math: MathMode): VerifyWarning[] {
  const { maxWinOneIn, hitRate, payoutsOffStep } = math.statistics();
  const mode = math.name;
  const warnings: VerifyWarning[] = [];
  const rtp = rtpWarning(math);
  if (rtp !== undefined) warnings.push(rtp);
  if (maxWinOneIn > rarestMaxWin) {
    const message = `the maximum win comes once in ${Math.round(maxWinOneIn)} rounds, rarer than 1 in ${rarestMaxWin}`;
    warnings.push({ code: 'MAX_WIN', mode, message });
  }
  if (hitRate * rarestHit < 1 - tolerance) {
    const odds = hitRate === 0 ? 'no round' : `1 round in ${(1 / hitRate).toFixed(1)}`;
    warnings.push({ code: 'HIT_RATE', mode, message: `${odds} pays anything, fewer than 1 in ${rarestHit}` });
  }
  if (payoutsOffStep > 0) {
    const message = `${payoutsOffStep} distinct payouts are not multiples of 0.1 × the base bet`;
    warnings.push({ code: 'PAYOUT_STEP', mode, message });
  }
  return warnings;
}
