// These parts of the contract need no library at run time. In a browser bundle zod alone would be
// the larger half. The types of the wire are inferred from the schemas, and types cost nothing.
import type { NoRound, Round } from './game.ts';

export * from './betRules.ts';
export * from './clientSeed.ts';
export * from './displayFacts.ts';
export * from './errors.ts';
export type {
  ClientSeedResponse,
  FairDocument,
  Fairness,
  FairnessSeedsResponse,
  RevealedSeed,
  RotateResponse,
  RoundFairness,
  TableCommitment,
} from './fairness.ts';
export type { Jurisdiction, PartialJurisdiction } from './fields.ts';
export type {
  AuthenticateRequest,
  AuthenticateResponse,
  Balance,
  BalanceRequest,
  BalanceResponse,
  BetConfig,
  BetMode,
  EndRoundRequest,
  EndRoundResponse,
  EventRequest,
  EventResponse,
  HistoryRequest,
  HistoryResponse,
  HistoryRound,
  NoRound,
  PlayRequest,
  PlayResponse,
  ReplayResponse,
  Round,
} from './game.ts';
export type { Grant, GrantDecision, GrantState, GrantsRequest, GrantsResponse } from './grants.ts';
export * from './jurisdiction.ts';
export * from './launchUrl.ts';
export * from './money.ts';
export * from './moneyText.ts';
export type { ErrorBody } from './refusals.ts';
export { parseHttpUrl, resolveRgsUrl } from './rgsUrl.ts';
export * from './routes.ts';
export * from './text.ts';

/**
 * Returns whether authenticate returned a round, and not the empty object of a player who has never
 * played.
 */
export function isRound(round: Round | NoRound): round is Round {
  return 'betID' in round;
}
