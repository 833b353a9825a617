// No schema stands here, so that a page may load it.

/** The routes of a wallet, below the base URL that the operator gives. */
export const WALLET_ROUTES = {
  authenticate: { method: 'POST', path: '/authenticate' },
  balance: { method: 'POST', path: '/balance' },
  debit: { method: 'POST', path: '/debit' },
  credit: { method: 'POST', path: '/credit' },
  rollback: { method: 'POST', path: '/rollback' },
  transactions: { method: 'POST', path: '/transactions' },
} as const;

export type WalletRouteName = keyof typeof WALLET_ROUTES;

/** The codes with which an operator's wallet may refuse. */
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
  /** Its HTTP status. The server reads the code and not the status of a refusal. */
  readonly status: 400 | 500;
  readonly meaning: string;
  /**
   * True: certainly no money moved. False: the server finds out with a rollback, or with the same
   * credit again.
   */
  readonly certain: boolean;
};

/** The facts of each code. */
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

/** Whether a text is one of the codes. */
export function isWalletErrorCode(value: unknown): value is WalletErrorCode {
  return (WALLET_ERROR_CODES as readonly unknown[]).includes(value);
}
