export { type BookGroup, groupOf } from './bookGroups.ts';
export { type ChiSquareTest, chiSquareTail, chiSquareTest } from './chiSquare.ts';
export { parsePositiveDecimal, ratio } from './decimal.ts';
export { type DrawnBucket, type DrawReport, drawReport } from './drawReport.ts';
export { type DrawRoundsOptions, drawRounds } from './drawRounds.ts';
export { type OpenMathOptions, openMath, openStoredMath } from './openMath.ts';
export { progressBar } from './progressBar.ts';
export { type PublishedBook, type PublishedMode, publishMath, publishTuned, type WeightedBook } from './publish.ts';
export { createCryptoRandom, type Seed, type SeededRandom, seededRandom } from './random.ts';
export { checkDraws, checkRawOutput } from './randomHealth.ts';
export { type SelectedRound, selectRounds } from './selectRounds.ts';
export { type PlayRound, type SimulateOptions, simulate, simulateSync } from './simulate.ts';
export type { ModeStatistics, PayoutBucket, PayoutMoments } from './statistics.ts';
export { type TunedMode, type TuneOutcome, tuneMode } from './tune.ts';
export type { TuneTargets } from './tuneTargets.ts';
export { type TunedBooks, tuneWeights, type WeightTargets } from './tuneWeights.ts';
export type {
  BookFacts,
  DrawnBook,
  LoadProgress,
  MathIssue,
  MathMode,
  MathOutcome,
  MathPackage,
  PublishedFile,
  Random64,
  TunableMode,
} from './types.ts';
export {
  type ModeReport,
  rtpWarning,
  type VerifyReport,
  type VerifyWarning,
  verifyReport,
  type WarningCode,
} from './verifyReport.ts';
export { VOLATILITY_CLASSES, type VolatilityClass, volatilityOf } from './volatility.ts';
