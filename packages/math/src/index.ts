export { missedDecimal, parsePositiveDecimal, ratio } from './decimal.ts';
export { type DrawnBucket, type DrawReport, drawReport } from './draw/drawReport.ts';
export { type DrawRoundsOptions, drawRounds } from './draw/drawRounds.ts';
export { createCryptoRandom, type Seed, type SeededRandom, seededRandom } from './draw/random.ts';
export { checkDraws, checkRawOutput } from './draw/randomHealth.ts';
export { progressBar } from './make/progressBar.ts';
export {
  type PublishedBook,
  type PublishedMode,
  publishMath,
  publishTuned,
  type WeightedBook,
} from './make/publish.ts';
export { type SelectedRound, selectRounds } from './make/selectRounds.ts';
export { type PlayRound, type SimulateOptions, simulate, simulateSync } from './make/simulate.ts';
export { notText } from './read/fileContent.ts';
export { type OpenMathOptions, openMath, openStoredMath } from './read/openMath.ts';
export { LINK_ISSUE, ownPath } from './read/ownPath.ts';
export { type BookGroup, groupOf } from './statistics/bookGroups.ts';
export { type ChiSquareTest, chiSquareTail, chiSquareTest } from './statistics/chiSquare.ts';
export type { ModeStatistics, PayoutBucket, PayoutMoments } from './statistics/statistics.ts';
export {
  type ModeReport,
  rtpWarning,
  type VerifyReport,
  type VerifyWarning,
  verifyReport,
  type WarningCode,
} from './statistics/verifyReport.ts';
export { VOLATILITY_CLASSES, type VolatilityClass, volatilityOf } from './statistics/volatility.ts';
export { type TunedMode, type TuneOutcome, tuneMode } from './tune/tune.ts';
export type { TuneTargets } from './tune/tuneTargets.ts';
export { type TunedBooks, tuneWeights, type WeightTargets } from './tune/tuneWeights.ts';
export type {
  BookFacts,
  DrawnBook,
  LoadProgress,
  MathIssue,
  MathMode,
  MathOutcome,
  MathPackage,
  ProofPart,
  ProofRow,
  ProofSibling,
  PublishedFile,
  Random64,
  TableCommitment,
  TableProof,
  TunableMode,
} from './types.ts';
