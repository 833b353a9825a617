import {
  type BetLimitIssue,
  type ErrorCode,
  LAUNCH_ISSUE_MESSAGES,
  type LaunchIssue,
} from '@roundhouse/contract/light';

/** Every frame of a page has the same registered symbol: `instanceof` fails there. */
const BRAND: unique symbol = Symbol.for('@roundhouse/sdk.RgsError');

/** What the caller does next: one class and one kind for each reaction. */
export type RgsErrorKind =
  | 'session-over'
  | 'insufficient-funds'
  | 'limit-reached'
  | 'not-allowed-here'
  | 'bad-request'
  | 'maintenance'
  | 'server-error'
  | 'no-network'
  | 'launch-url';

/** Why a bet was refused before it was sent: the bet rules, the mode, or the strict bet levels. */
export type BetIssue = BetLimitIssue | 'unknown-mode' | 'feature-disabled' | 'not-a-bet-level';

export type RgsErrorFacts = {
  code?: ErrorCode | undefined;
  status?: number | undefined;
  requestId?: string | undefined;
  retryable?: boolean | undefined;
  retryAfterMs?: number | undefined;
  cause?: unknown;
};

/**
 * The base of everything that the client throws. Tell the kinds apart with {@link isRgsError} and
 * `kind`.
 */
export abstract class RgsError extends Error {
  abstract readonly kind: RgsErrorKind;
  /** The server's error code, or undefined when the response had none or there was none. */
  declare readonly code: ErrorCode | undefined;
  /** The HTTP status, or undefined when there was no response, or nothing was sent. */
  declare readonly status: number | undefined;
  /** Names the request in the server's log (X-Request-Id). */
  declare readonly requestId: string | undefined;
  /**
   * Whether the same call may succeed later, unchanged. The client has already repeated what is
   * safe to repeat.
   */
  declare readonly retryable: boolean;
  /**
   * The wait that the server requests before the same call, in milliseconds; undefined when it
   * requests none.
   */
  declare readonly retryAfterMs: number | undefined;
  readonly [BRAND] = true;

  constructor(
    message: string,
    { code, status, requestId, retryable = false, retryAfterMs, cause }: RgsErrorFacts = {},
  ) {
    super(message, cause === undefined ? {} : { cause });
    Object.assign(this, { code, status, requestId, retryable, retryAfterMs });
  }

  /**
   * Returns plain data, which can cross `postMessage`; `rgsErrorFrom` makes the error again. The
   * cause crosses as text.
   */
  toJSON(): RgsErrorJson {
    const { kind, message, code, status, requestId, retryable, retryAfterMs, cause } = this;
    const facts = { kind, message, code, status, requestId, retryable };
    return {
      ...facts,
      ...(retryAfterMs !== undefined && { retryAfterMs }),
      ...(cause !== undefined && { cause: String(cause) }),
    };
  }
}

/** An {@link RgsError} as plain data. */
export type RgsErrorJson = {
  kind: RgsErrorKind;
  message: string;
  code: ErrorCode | undefined;
  status: number | undefined;
  requestId: string | undefined;
  retryable: boolean;
  retryAfterMs?: number;
  cause?: string;
  betIssue?: BetIssue;
  issue?: LaunchIssue;
};

/**
 * The session has ended, or the login has (ERR_IS, ERR_ATE): the player opens the game from the
 * lobby again.
 */
export class SessionOverError extends RgsError {
  override readonly name = 'SessionOverError';
  readonly kind = 'session-over';
}

/** The balance does not cover the bet (ERR_IPB): lower the bet, or let the player add money. */
export class InsufficientFundsError extends RgsError {
  override readonly name = 'InsufficientFundsError';
  readonly kind = 'insufficient-funds';
}

/**
 * A gambling limit of the player is reached (ERR_GLE): stop playing until the limit allows it
 * again.
 */
export class LimitReachedError extends RgsError {
  override readonly name = 'LimitReachedError';
  readonly kind = 'limit-reached';
}

/** Play is not allowed where the player is (ERR_LOC). */
export class NotAllowedHereError extends RgsError {
  override readonly name = 'NotAllowedHereError';
  readonly kind = 'not-allowed-here';
}

/**
 * The request is wrong: ERR_VAL, or the client refused it and nothing was sent (`code` is undefined
 * then).
 */
export class BadRequestError extends RgsError {
  override readonly name = 'BadRequestError';
  readonly kind = 'bad-request';
  /** Why a bet was not sent. */
  declare readonly betIssue: BetIssue | undefined;

  constructor(message: string, { betIssue, ...facts }: RgsErrorFacts & { betIssue?: BetIssue | undefined } = {}) {
    super(message, facts);
    this.betIssue = betIssue;
  }

  override toJSON(): RgsErrorJson {
    return { ...super.toJSON(), ...(this.betIssue && { betIssue: this.betIssue }) };
  }
}

/** Says that maintenance (ERR_MAINTENANCE) lasts some minutes. An active round is kept. */
export class MaintenanceError extends RgsError {
  override readonly name = 'MaintenanceError';
  readonly kind = 'maintenance';
}

/** The server failed (ERR_GEN), or its response does not follow the protocol. */
export class ServerError extends RgsError {
  override readonly name = 'ServerError';
  readonly kind = 'server-error';
}

/**
 * Says that there is no response: no connection, the time-out, or a body that broke off. Whether
 * the server did the work is unknown.
 */
export class NetworkError extends RgsError {
  override readonly name = 'NetworkError';
  readonly kind = 'no-network';
}

/** The launch URL cannot be used. The message is in words that a player may be shown. */
export class LaunchUrlError extends RgsError {
  override readonly name = 'LaunchUrlError';
  readonly kind = 'launch-url';
  declare readonly issue: LaunchIssue;

  constructor(issue: LaunchIssue) {
    super(LAUNCH_ISSUE_MESSAGES[issue]);
    this.issue = issue;
  }

  override toJSON(): RgsErrorJson {
    return { ...super.toJSON(), issue: this.issue };
  }
}

/** Every error of the client is one of these. A `switch` on `kind` tells them apart. */
export type AnyRgsError =
  | SessionOverError
  | InsufficientFundsError
  | LimitReachedError
  | NotAllowedHereError
  | BadRequestError
  | MaintenanceError
  | ServerError
  | NetworkError
  | LaunchUrlError;

/**
 * Returns whether the value is an error of this client, also when it was made in another frame,
 * where
 * `instanceof` fails.
 */
export function isRgsError(value: unknown): value is AnyRgsError {
  return typeof value === 'object' && value !== null && (value as { [BRAND]?: unknown })[BRAND] === true;
}

/** Returns whether the server may have done the work: there was no response, or none that says. */
export function isOutcomeUnknown(error: unknown): boolean {
  return !isRgsError(error) || error.kind === 'no-network' || error.kind === 'server-error';
}

const CLASSES = {
  'session-over': SessionOverError,
  'insufficient-funds': InsufficientFundsError,
  'limit-reached': LimitReachedError,
  'not-allowed-here': NotAllowedHereError,
  'bad-request': BadRequestError,
  maintenance: MaintenanceError,
  'server-error': ServerError,
  'no-network': NetworkError,
} as const satisfies Record<Exclude<RgsErrorKind, 'launch-url'>, unknown>;

/**
 * Returns the error that `error.toJSON()` was made from, for a message of `postMessage`. It is
 * undefined when the value is something else. The cause comes back as text, and the stack is that
 * of this call.
 */
export function rgsErrorFrom(json: unknown): AnyRgsError | undefined {
  if (typeof json !== 'object' || json === null) return undefined;
  const { kind, message, issue, ...facts } = json as Partial<RgsErrorJson>;
  if (kind === 'launch-url') {
    return issue && Object.hasOwn(LAUNCH_ISSUE_MESSAGES, issue) ? new LaunchUrlError(issue) : undefined;
  }
  if (!kind || !Object.hasOwn(CLASSES, kind)) return undefined;
  return new CLASSES[kind](String(message), facts);
}
