/** The browser client of a Roundhouse server: see `createClient`. */
export {
  type AuthenticateResponse,
  type Balance,
  type BalanceResponse,
  type BetConfig,
  type BetFault,
  type BetLimits,
  type BetMode,
  CURRENCIES,
  type CurrencyCode,
  checkBet,
  type Device,
  type EndRoundResponse,
  type ErrorCode,
  type EventResponse,
  isMicros,
  isRound,
  type Jurisdiction,
  LANGUAGES,
  LAUNCH_FAULT_MESSAGES,
  type Language,
  type Launch,
  type LaunchFault,
  type LaunchPlay,
  type LaunchReplay,
  MICROS_PER_UNIT,
  type Micros,
  type NoRound,
  type PlayResponse,
  parseLaunchUrl,
  type ReplayResponse,
  type Round,
  toMicros,
} from '@roundhouse/contract/light';
export { type BetLevelConfig, betLevelsOf, nextBetLevel, previousBetLevel } from './betLevels.ts';
export type { Bet, Client, ClientOptions, ClientState, KeyStorage, ReplayBook } from './client/clientTypes.ts';
export { createClient } from './client/createClient.ts';
export { debitOf } from './debit.ts';
export {
  type AnyRgsError,
  BadRequestError,
  type BetRefusal,
  InsufficientFundsError,
  isRgsError,
  LaunchUrlError,
  LimitReachedError,
  MaintenanceError,
  NetworkError,
  NotAllowedHereError,
  RgsError,
  type RgsErrorFacts,
  type RgsErrorJson,
  type RgsErrorKind,
  ServerTroubleError,
  SessionOverError,
} from './errors.ts';
export { rgsErrorFrom } from './errorsFromJson.ts';
export { type FormatAmountOptions, formatAmount } from './formatAmount.ts';
export { parseAmount } from './parseAmount.ts';
export { createSessionTimer, formatElapsed, type SessionTimer, type SessionTimerOptions } from './sessionTimer.ts';
