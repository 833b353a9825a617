/**
 * This is the provably fair draw on lookup tables: seeds, tickets, commitments, and their check.
 */
export { leafCheck, type StepLevel } from './checkTable.ts';
export { isClientSeed } from './clientSeed.ts';
export type { DrawnRow, FairDocument, FairRound, FairTable, Sibling } from './document.ts';
export { bytesOf, hex, hmacSha256, hmacWith, sha256 } from './hash.ts';
export type { Issue, IssueKind, Report } from './report.ts';
export {
  type Step,
  type StepName,
  type StepResult,
  type StepRow,
  type Steps,
  type StepTry,
  stepsOf,
} from './steps.ts';
export { type DrawFacts, FORMAT, type Hmac, hmacUnder, messageOf, type Try, ticketOf } from './ticket.ts';
export { leafBytes, nodeBytes, type Row, rootBytes, splitOf, type TreeNode } from './tree.ts';
export { type VerifyOptions, verify } from './verify.ts';
