/** Where the calls of the wallet are, below the base URL that an operator gives. */
export const WALLET_ROUTES = {
  authenticate: { method: 'POST', path: '/authenticate' },
  balance: { method: 'POST', path: '/balance' },
  debit: { method: 'POST', path: '/debit' },
  credit: { method: 'POST', path: '/credit' },
  rollback: { method: 'POST', path: '/rollback' },
  transactions: { method: 'POST', path: '/transactions' },
} as const;

/** Where an operator calls, below the server's address. */
export const OPERATOR_ROUTES = {
  listGames: { method: 'GET', path: '/operator/games' },
  createSession: { method: 'POST', path: '/operator/sessions' },
  revokeSession: { method: 'DELETE', path: '/operator/sessions/:sessionID' },
  listRounds: { method: 'GET', path: '/operator/rounds' },
  getRound: { method: 'GET', path: '/operator/rounds/:betID' },
  voidRound: { method: 'POST', path: '/operator/rounds/:betID/void' },
} as const;

export type WalletRouteName = keyof typeof WALLET_ROUTES;
export type OperatorRouteName = keyof typeof OPERATOR_ROUTES;
