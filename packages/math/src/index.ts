export { type OpenMathOptions, openMath, openStoredMath } from './openMath.ts';
export { type PublishedBook, type PublishedMode, publishMath, type WeightedBook } from './publish.ts';
export { createCryptoRandom, type Seed, type SeededRandom, seededRandom } from './random.ts';
export type { ModeStatistics, PayoutBucket } from './statistics.ts';
export { publishTuned, type TunedMode, type TuneOutcome, type TuneTargets, tuneMode } from './tune.ts';
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
} from './types.ts';
export {
  type ModeReport,
  rtpWarning,
  type VerifyReport,
  type VerifyWarning,
  verifyReport,
  type WarningCode,
} from './verifyReport.ts';
