/** The method and path of a route; a path parameter starts with a colon. */
export type RouteAddress = { readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'; readonly path: string };

/**
 * Games call these routes, below the server's address: the five game endpoints, history, grants and
 * replay.
 * Contracts and clients take their addresses from here.
 */
export const GAME_ROUTES = {
  authenticate: { method: 'POST', path: '/wallet/authenticate' },
  balance: { method: 'POST', path: '/wallet/balance' },
  play: { method: 'POST', path: '/wallet/play' },
  endRound: { method: 'POST', path: '/wallet/end-round' },
  event: { method: 'POST', path: '/bet/event' },
  history: { method: 'POST', path: '/bet/history' },
  grants: { method: 'POST', path: '/bet/grants' },
  replay: { method: 'GET', path: '/bet/replay/:game/:version/:mode/:event' },
} as const satisfies Record<string, RouteAddress>;

/** A game calls these routes about the seeds of a session with provably fair draws. */
export const FAIRNESS_ROUTES = {
  seeds: { method: 'POST', path: '/fairness/seeds' },
  clientSeed: { method: 'POST', path: '/fairness/client-seed' },
  rotate: { method: 'POST', path: '/fairness/rotate' },
  proof: { method: 'POST', path: '/fairness/proof' },
  export: { method: 'POST', path: '/fairness/export' },
} as const satisfies Record<string, RouteAddress>;

/** Fun mode calls these routes. They refuse every request where it is off. */
export const DEMO_ROUTES = {
  demoConfig: { method: 'POST', path: '/demo/config' },
  demoPlay: { method: 'POST', path: '/demo/play' },
} as const satisfies Record<string, RouteAddress>;

/** These routes are for local work. In production these paths do not exist. */
export const DEV_ROUTES = {
  startSession: { method: 'POST', path: '/session/start' },
  searchBook: { method: 'POST', path: '/game/search' },
  findBooks: { method: 'POST', path: '/game/books' },
  forceNext: { method: 'POST', path: '/game/force' },
  getFaults: { method: 'GET', path: '/game/faults' },
  setFaults: { method: 'PUT', path: '/game/faults' },
  clearFaults: { method: 'DELETE', path: '/game/faults' },
  readParity: { method: 'POST', path: '/game/parity' },
  readHttps: { method: 'GET', path: '/game/https' },
} as const satisfies Record<string, RouteAddress>;

export type GameRouteName = keyof typeof GAME_ROUTES;
export type DevRouteName = keyof typeof DEV_ROUTES;

/** A wallet has these routes below the base URL that the operator gives. */
export const WALLET_ROUTES = {
  authenticate: { method: 'POST', path: '/authenticate' },
  balance: { method: 'POST', path: '/balance' },
  debit: { method: 'POST', path: '/debit' },
  credit: { method: 'POST', path: '/credit' },
  closeRounds: { method: 'POST', path: '/close-rounds' },
  rollback: { method: 'POST', path: '/rollback' },
  transactions: { method: 'POST', path: '/transactions' },
} as const;

/** A wallet may have this one beside them. Only the check of a wallet sends it. */
export const WALLET_TEST_ROUTES = { testSession: { method: 'POST', path: '/test-session' } } as const;

/** A wallet may respond to a GET of this path, without a signature, that it is up. */
export const WALLET_HEALTH_PATH = '/health';

export type WalletRouteName = keyof typeof WALLET_ROUTES;
