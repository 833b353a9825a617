import {
  type AuthenticateResponse,
  type Balance,
  type BalanceResponse,
  type BetConfig,
  type EndRoundResponse,
  type ErrorCode,
  type EventResponse,
  type GrantsResponse,
  type HistoryResponse,
  isMicros,
  type NoRound,
  type PlayResponse,
  type ReplayResponse,
  type Round,
} from '@roundhouse/contract/light';
import {
  type AnyRgsError,
  BadRequestError,
  InsufficientFundsError,
  LimitReachedError,
  MaintenanceError,
  NotAllowedHereError,
  type RgsErrorFacts,
  ServerError,
  SessionOverError,
} from '../errors.ts';

/** Maps each route to the body of its success. */
export type Responses = {
  authenticate: AuthenticateResponse;
  balance: BalanceResponse;
  play: PlayResponse;
  endRound: EndRoundResponse;
  event: EventResponse;
  history: HistoryResponse;
  grants: GrantsResponse;
  replay: ReplayResponse;
};

export type Received = {
  status: number;
  requestId: string | undefined;
  retryAfterMs?: number | undefined;
  text: string;
};

export type Check<Body> = (value: unknown) => value is Body;

/**
 * Checks whether a body has the fields that this client uses. The contract's schemas judge the
 * server in its own tests: here they would bring their library into every game.
 */
export const IS_RESPONSE: { readonly [Name in keyof Responses]: Check<Responses[Name]> } = {
  authenticate: (value): value is AuthenticateResponse =>
    hasBalance(value) && isConfig(value.config) && isRoundOrNone(value.round),
  balance: hasBalance,
  play: (value): value is PlayResponse => hasBalance(value) && isRoundWithFields(value.round),
  endRound: hasBalance,
  event: (value): value is EventResponse => isObject(value) && typeof value.event === 'string',
  history: (value): value is HistoryResponse =>
    isObject(value) &&
    Array.isArray(value.rounds) &&
    value.rounds.every(isRoundWithFacts) &&
    (value.next === null || isMicros(value.next)),
  grants: (value): value is GrantsResponse => isObject(value) && Array.isArray(value.grants),
  replay: (value): value is ReplayResponse =>
    isObject(value) &&
    typeof value.payoutMultiplier === 'number' &&
    typeof value.costMultiplier === 'number' &&
    Array.isArray(value.state),
};

/** Leads from a code to an error. It is the only table that does. */
const ERROR_CLASSES: Readonly<Record<ErrorCode, new (message: string, facts: RgsErrorFacts) => AnyRgsError>> = {
  ERR_VAL: BadRequestError,
  ERR_IPB: InsufficientFundsError,
  ERR_IS: SessionOverError,
  ERR_ATE: SessionOverError,
  ERR_GLE: LimitReachedError,
  ERR_LOC: NotAllowedHereError,
  ERR_GEN: ServerError,
  ERR_MAINTENANCE: MaintenanceError,
};

/**
 * Reads the body of a success.
 * @throws AnyRgsError for every other response
 */
export function readResponse<Body>(received: Received, isResponse: Check<Body>): Body {
  const { text, ...facts } = received;
  const { status } = facts;
  const body = parsed(text);
  if (status !== 200) throw errorOf(facts, body);
  if (isResponse(body)) return body;
  throw new ServerError('the response of the server cannot be read', { ...facts, retryable: true });
}

function errorOf(facts: Omit<Received, 'text'>, body: unknown): AnyRgsError {
  const { status } = facts;
  const { error, message } = isObject(body) ? body : {};
  if (typeof error === 'string' && Object.hasOwn(ERROR_CLASSES, error)) {
    const code = error as ErrorCode;
    // ERRORS of the contract says the same. That table is long, so it stays out of the bundle and a
    // test compares them.
    const retryable = code === 'ERR_GEN' || code === 'ERR_MAINTENANCE';
    return new ERROR_CLASSES[code](typeof message === 'string' ? message : code, {
      ...facts,
      code,
      retryable,
    });
  }
  // A proxy has responded. With 408 and 429 the client repeats the request later; another 4xx will
  // be the same again.
  const retryable = status < 400 || status >= 500 || status === 408 || status === 429;
  return new ServerError(`status ${status} without an error code`, { ...facts, retryable });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function hasBalance(value: unknown): value is { balance: Balance } & Record<string, unknown> {
  return isObject(value) && isBalance(value.balance);
}

function isBalance(value: unknown): value is Balance {
  return isObject(value) && isMicros(value.amount) && typeof value.currency === 'string';
}

export function isConfig(value: unknown): value is BetConfig {
  return (
    isObject(value) &&
    [value.minBet, value.maxBet, value.stepBet, value.defaultBetLevel].every(isMicros) &&
    Array.isArray(value.betLevels) &&
    isObject(value.betModes) &&
    Object.values(value.betModes).every((mode) => isObject(mode) && typeof mode.costMultiplier === 'number') &&
    isObject(value.jurisdiction) &&
    Number.isFinite(value.jurisdiction.minimumRoundDuration)
  );
}

function isRoundOrNone(value: unknown): value is Round | NoRound {
  return value === null || (isObject(value) && (Object.keys(value).length === 0 || isRoundWithFields(value)));
}

export function isRoundWithFields(value: unknown): value is Round {
  return isRoundWithFacts(value) && Array.isArray(value.state);
}

/** Returns whether the value has what a round and one of the history share. */
function isRoundWithFacts(value: unknown): value is Record<string, unknown> {
  return (
    isObject(value) &&
    [value.betID, value.amount, value.payout].every(isMicros) &&
    typeof value.costMultiplier === 'number' &&
    typeof value.active === 'boolean' &&
    typeof value.mode === 'string'
  );
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
