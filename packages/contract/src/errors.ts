/** Lists the eight error codes, in the order of the protocol. */
export const ERROR_CODES = [
  'ERR_VAL',
  'ERR_IPB',
  'ERR_IS',
  'ERR_ATE',
  'ERR_GLE',
  'ERR_LOC',
  'ERR_GEN',
  'ERR_MAINTENANCE',
] as const;

export type ErrorCode = (typeof ERROR_CODES)[number];

/** Names the checks of a request. */
export type RefusalStage =
  | 'maintenance'
  | 'shape'
  | 'session'
  | 'login'
  | 'location'
  | 'rules'
  | 'limits'
  | 'balance'
  | 'general';

/** A place in the order of the refusals: position 1 wins. */
export type Precedence = { readonly position: number; readonly stage: RefusalStage };

export type ErrorFacts = {
  readonly status: 400 | 500;
  /** Says what the code means, in the words of the protocol. */
  readonly meaning: string;
  /** Whether the same request may succeed later, unchanged. */
  readonly retryable: boolean;
  /** Says what the caller does next. */
  readonly retryAdvice: string;
  /**
   * The code has these places when several checks fail. ERR_VAL has two: for shape and for rules.
   */
  readonly precedence: readonly Precedence[];
};

export const ERRORS: Readonly<Record<ErrorCode, ErrorFacts>> = {
  ERR_VAL: {
    status: 400,
    meaning: 'Invalid request',
    retryable: false,
    retryAdvice: 'Correct the request. When a round is active, authenticate and finish it first.',
    precedence: [
      { position: 2, stage: 'shape' },
      { position: 6, stage: 'rules' },
    ],
  },
  ERR_IPB: {
    status: 400,
    meaning: 'Insufficient player balance',
    retryable: false,
    retryAdvice: 'Lower the bet, or let the player add money.',
    precedence: [{ position: 8, stage: 'balance' }],
  },
  ERR_IS: {
    status: 400,
    meaning: 'Invalid session token or session timeout',
    retryable: false,
    retryAdvice: 'Authenticate once; when that fails too, launch the game again.',
    precedence: [{ position: 3, stage: 'session' }],
  },
  ERR_ATE: {
    status: 400,
    meaning: 'Failed user authentication or token expired',
    retryable: false,
    retryAdvice: 'The player logs in to the operator again, and the game is launched again.',
    precedence: [{ position: 4, stage: 'login' }],
  },
  ERR_GLE: {
    status: 400,
    meaning: 'Gambling limits exceeded',
    retryable: false,
    retryAdvice: 'Stop playing until the limit allows it again.',
    precedence: [{ position: 7, stage: 'limits' }],
  },
  ERR_LOC: {
    status: 400,
    meaning: 'Invalid player location',
    retryable: false,
    retryAdvice: 'Play is not allowed where the player is.',
    precedence: [{ position: 5, stage: 'location' }],
  },
  ERR_GEN: {
    status: 500,
    meaning: 'General server error',
    retryable: true,
    retryAdvice:
      'Send it again after a pause: a play with its Idempotency-Key, or after authenticate has shown the state.',
    precedence: [{ position: 9, stage: 'general' }],
  },
  ERR_MAINTENANCE: {
    status: 500,
    meaning: 'RGS under planned maintenance',
    retryable: true,
    retryAdvice: 'Send it again in some minutes. An active round is kept.',
    precedence: [{ position: 1, stage: 'maintenance' }],
  },
};

/**
 * When several checks fail, the response has the first of this list. It is read from {@link
 * ERRORS}.
 */
export const REFUSAL_ORDER: readonly { readonly stage: RefusalStage; readonly code: ErrorCode }[] = ERROR_CODES.flatMap(
  (code) => ERRORS[code].precedence.map(({ position, stage }) => ({ position, stage, code })),
)
  .sort((left, right) => left.position - right.position)
  .map(({ stage, code }) => ({ stage, code }));

/** Returns whether a text is one of the eight codes. */
export function isErrorCode(value: unknown): value is ErrorCode {
  return (ERROR_CODES as readonly unknown[]).includes(value);
}

/** An operator's wallet may refuse with these codes. */
export const WALLET_ERROR_CODES = [
  'ERR_VAL',
  'ERR_IPB',
  'ERR_IS',
  'ERR_ATE',
  'ERR_GLE',
  'ERR_LOC',
  'ERR_MAINTENANCE',
  'ERR_DUP',
  'ERR_BNF',
  'ERR_GE',
  'ERR_UE',
] as const;

export type WalletErrorCode = (typeof WALLET_ERROR_CODES)[number];

export type WalletErrorFacts = {
  /** The server reads the code and not this HTTP status. */
  readonly status: 400 | 500;
  readonly meaning: string;
  /** Certainly no money moved. Otherwise the server sends a rollback, or the credit again. */
  readonly certain: boolean;
};

export const WALLET_ERRORS: Readonly<Record<WalletErrorCode, WalletErrorFacts>> = {
  ERR_VAL: { status: 400, meaning: 'The request is not valid', certain: true },
  ERR_IPB: { status: 400, meaning: 'The balance does not cover the bet', certain: true },
  ERR_IS: { status: 400, meaning: 'The session is not known or has timed out', certain: true },
  ERR_ATE: { status: 400, meaning: 'The login has failed or expired', certain: true },
  ERR_GLE: { status: 400, meaning: 'A gambling limit would be exceeded', certain: true },
  ERR_LOC: { status: 400, meaning: 'Play is not allowed where the player is', certain: true },
  ERR_MAINTENANCE: { status: 500, meaning: 'The wallet is under planned maintenance', certain: true },
  ERR_DUP: { status: 400, meaning: 'The same transactionID with another content', certain: true },
  ERR_BNF: { status: 400, meaning: 'The bet was not found', certain: true },
  ERR_GE: { status: 500, meaning: 'Failed, and it is certain that no money moved', certain: true },
  ERR_UE: { status: 500, meaning: 'Failed, and it is not certain whether money moved', certain: false },
};

/** Returns whether a text is one of the codes. */
export function isWalletErrorCode(value: unknown): value is WalletErrorCode {
  return (WALLET_ERROR_CODES as readonly unknown[]).includes(value);
}
