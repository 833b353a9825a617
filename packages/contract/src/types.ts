import type * as z from 'zod';
import type {
  authenticateRequestSchema,
  authenticateResponseSchema,
  balanceRequestSchema,
  balanceResponseSchema,
  balanceSchema,
  betModeSchema,
  configSchema,
  endRoundRequestSchema,
  endRoundResponseSchema,
  errorBodySchema,
  eventRequestSchema,
  eventResponseSchema,
  noRoundSchema,
  playRequestSchema,
  playResponseSchema,
  replayResponseSchema,
  roundSchema,
} from './schemas.ts';

export type Balance = z.infer<typeof balanceSchema>;
export type BetMode = z.infer<typeof betModeSchema>;
export type BetConfig = z.infer<typeof configSchema>;
export type Round = z.infer<typeof roundSchema>;
export type NoRound = z.infer<typeof noRoundSchema>;
export type ErrorBody = z.infer<typeof errorBodySchema>;
export type AuthenticateRequest = z.infer<typeof authenticateRequestSchema>;
export type AuthenticateResponse = z.infer<typeof authenticateResponseSchema>;
export type BalanceRequest = z.infer<typeof balanceRequestSchema>;
export type BalanceResponse = z.infer<typeof balanceResponseSchema>;
export type PlayRequest = z.infer<typeof playRequestSchema>;
export type PlayResponse = z.infer<typeof playResponseSchema>;
export type EndRoundRequest = z.infer<typeof endRoundRequestSchema>;
export type EndRoundResponse = z.infer<typeof endRoundResponseSchema>;
export type EventRequest = z.infer<typeof eventRequestSchema>;
export type EventResponse = z.infer<typeof eventResponseSchema>;
export type ReplayResponse = z.infer<typeof replayResponseSchema>;

/** Whether authenticate returned a round, and not the empty object of a player who has never played. */
export function isRound(round: Round | NoRound): round is Round {
  return 'betID' in round;
}
