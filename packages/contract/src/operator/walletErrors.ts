/** What an operator's wallet may refuse with. */
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
  /** The HTTP status that goes with it. The caller reads the code, whatever the status of a refusal is. */
  readonly status: 400 | 500;
  readonly meaning: string;
  /** True: it is sure that no money moved. False: the caller has to find out (rollback, or the same credit again). */
  readonly certain: boolean;
};

/** All that is known about each code, in one place. */
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
