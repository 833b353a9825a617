// This file needs no zod, so the page of the console loads it.
export { OPERATOR_DEFAULTS } from './operatorDefaults.ts';

/** What a person of an operator's or of the server's staff may do in the console. */
export const ROLES = ['viewer', 'support', 'finance', 'compliance', 'gameManager', 'administrator'] as const;

export type Role = (typeof ROLES)[number];

/** A rule of the console: who may send the request, and what happens before it is handled. */
export type AdminRoute = {
  method: 'GET' | 'POST';
  /** It begins with /admin. */
  path: string;
  /** Only these roles may send it. */
  roles: readonly Role[];
  /**
   * `server` admits only users of the server. `operator`: also users of an operator, who reach only
   * what belongs to their operator.
   */
  scope: 'server' | 'operator';
  /** The server records an event of it, because the action changes no row that has one. */
  isRecorded?: true;
  /** Under `--two-person` it waits for the approval of a second user. */
  twoPerson?: true;
  /**
   * Why the server bounds how many of it a user has at a time. `live`: it has no end. `job`: it
   * runs for as long as there are rows. `report`: one statement may take a minute.
   */
  load?: 'live' | 'job' | 'report';
};

const EVERYBODY = ROLES;
const SUPPORT = ['support', 'administrator'] as const;
const MONEY = ['finance', 'administrator'] as const;
const SUPPORT_AND_MONEY = ['support', 'finance', 'administrator'] as const;
const PLAYERS = ['support', 'compliance', 'administrator'] as const;
const COMPLIANCE = ['compliance', 'administrator'] as const;
const REPORTS = ['finance', 'compliance', 'gameManager', 'administrator'] as const;
const GAMES = ['gameManager', 'administrator'] as const;
const GRANTS = ['support', 'gameManager', 'administrator'] as const;
const ADMINISTRATOR = ['administrator'] as const;

/**
 * The one table of rights: each request of the console with the roles and the scope that may send
 * it. The server refuses by it, and the page hides by it.
 */
export const ADMIN_ROUTES = {
  getAccount: { method: 'GET', path: '/admin/account', roles: EVERYBODY, scope: 'operator' },
  listOwnSessions: { method: 'GET', path: '/admin/account/sessions', roles: EVERYBODY, scope: 'operator' },
  endOwnSession: {
    method: 'POST',
    path: '/admin/account/sessions/:sessionID/end',
    roles: EVERYBODY,
    scope: 'operator',
  },

  getOverview: { method: 'GET', path: '/admin/overview', roles: EVERYBODY, scope: 'operator' },
  watchOverview: {
    method: 'GET',
    path: '/admin/overview/live',
    roles: EVERYBODY,
    scope: 'operator',
    load: 'live',
  },
  // The text may be a sessionID, which must be in no address.
  search: { method: 'POST', path: '/admin/search', roles: EVERYBODY, scope: 'operator' },

  listRounds: { method: 'GET', path: '/admin/rounds', roles: EVERYBODY, scope: 'operator' },
  getRound: { method: 'GET', path: '/admin/rounds/:betID', roles: EVERYBODY, scope: 'operator' },
  getRoundBook: { method: 'GET', path: '/admin/rounds/:betID/book', roles: EVERYBODY, scope: 'operator' },
  voidRound: {
    method: 'POST',
    path: '/admin/rounds/:betID/void',
    roles: SUPPORT,
    scope: 'operator',
    twoPerson: true,
  },
  completeRound: { method: 'POST', path: '/admin/rounds/:betID/complete', roles: SUPPORT, scope: 'operator' },

  listPlayers: { method: 'GET', path: '/admin/players', roles: EVERYBODY, scope: 'operator' },
  getPlayer: { method: 'GET', path: '/admin/players/:operator/:playerID', roles: EVERYBODY, scope: 'operator' },
  listPlayerSessions: {
    method: 'GET',
    path: '/admin/players/:operator/:playerID/sessions',
    roles: EVERYBODY,
    scope: 'operator',
  },
  getNetPosition: {
    method: 'GET',
    path: '/admin/players/:operator/:playerID/net-position',
    roles: EVERYBODY,
    scope: 'operator',
    load: 'report',
  },
  setPlayerLimits: {
    method: 'POST',
    path: '/admin/players/:operator/:playerID/limits',
    roles: PLAYERS,
    scope: 'operator',
    twoPerson: true,
  },
  setLoginExpiry: {
    method: 'POST',
    path: '/admin/players/:operator/:playerID/login-expiry',
    roles: PLAYERS,
    scope: 'operator',
  },
  endPlayerSessions: {
    method: 'POST',
    path: '/admin/players/:operator/:playerID/end-sessions',
    roles: PLAYERS,
    scope: 'operator',
  },

  listWalletTransactions: { method: 'GET', path: '/admin/wallet-transactions', roles: EVERYBODY, scope: 'operator' },
  retryWalletTransactions: {
    method: 'POST',
    path: '/admin/wallet-transactions/retry',
    roles: SUPPORT_AND_MONEY,
    scope: 'operator',
  },
  settleWalletTransaction: {
    method: 'POST',
    path: '/admin/wallet-transactions/:transactionID/settle',
    roles: MONEY,
    scope: 'operator',
    twoPerson: true,
  },
  reconcileOperator: {
    method: 'POST',
    path: '/admin/operators/:operator/reconcile',
    roles: MONEY,
    scope: 'operator',
    isRecorded: true,
    load: 'job',
  },

  listGames: { method: 'GET', path: '/admin/games', roles: EVERYBODY, scope: 'operator' },
  getGame: { method: 'GET', path: '/admin/games/:gameID', roles: EVERYBODY, scope: 'operator' },
  getGameReturns: {
    method: 'GET',
    path: '/admin/games/:gameID/returns',
    roles: EVERYBODY,
    scope: 'operator',
    load: 'report',
  },
  withdrawGame: {
    method: 'POST',
    path: '/admin/games/:gameID/versions/:version/withdraw',
    roles: GAMES,
    scope: 'server',
  },
  reinstateGame: {
    method: 'POST',
    path: '/admin/games/:gameID/versions/:version/reinstate',
    roles: GAMES,
    scope: 'server',
  },
  listMaintenance: { method: 'GET', path: '/admin/maintenance', roles: EVERYBODY, scope: 'operator' },
  setMaintenance: { method: 'POST', path: '/admin/maintenance', roles: GAMES, scope: 'operator' },

  listOperators: { method: 'GET', path: '/admin/operators', roles: EVERYBODY, scope: 'operator' },
  getOperator: { method: 'GET', path: '/admin/operators/:operator', roles: EVERYBODY, scope: 'operator' },
  listPresets: { method: 'GET', path: '/admin/jurisdictions', roles: EVERYBODY, scope: 'operator' },
  judgeOperator: { method: 'POST', path: '/admin/judged-operators', roles: ADMINISTRATOR, scope: 'server' },
  addOperator: {
    method: 'POST',
    path: '/admin/operators',
    roles: ADMINISTRATOR,
    scope: 'server',
    twoPerson: true,
  },
  changeOperator: {
    method: 'POST',
    path: '/admin/operators/:operator',
    roles: ADMINISTRATOR,
    scope: 'server',
    twoPerson: true,
  },
  disableOperator: {
    method: 'POST',
    path: '/admin/operators/:operator/disable',
    roles: ADMINISTRATOR,
    scope: 'server',
    twoPerson: true,
  },
  setOperatorLimits: {
    method: 'POST',
    path: '/admin/operators/:operator/limits',
    roles: ADMINISTRATOR,
    scope: 'server',
    twoPerson: true,
  },
  rotateSecret: {
    method: 'POST',
    path: '/admin/operators/:operator/secret/rotate',
    roles: ADMINISTRATOR,
    scope: 'operator',
    twoPerson: true,
  },
  finishRotation: {
    method: 'POST',
    path: '/admin/operators/:operator/secret/finish',
    roles: ADMINISTRATOR,
    scope: 'operator',
    twoPerson: true,
  },
  cancelRotation: {
    method: 'POST',
    path: '/admin/operators/:operator/secret/cancel',
    roles: ADMINISTRATOR,
    scope: 'operator',
    twoPerson: true,
  },
  checkWallet: {
    method: 'POST',
    path: '/admin/operators/:operator/wallet-check',
    roles: ADMINISTRATOR,
    scope: 'operator',
    isRecorded: true,
    load: 'job',
  },

  getPerformance: {
    method: 'GET',
    path: '/admin/reports/performance',
    roles: REPORTS,
    scope: 'operator',
    load: 'report',
  },
  getRevenue: { method: 'GET', path: '/admin/reports/revenue', roles: REPORTS, scope: 'operator', load: 'report' },
  getRtpReport: { method: 'GET', path: '/admin/reports/rtp', roles: REPORTS, scope: 'operator', load: 'report' },
  listInterruptedRounds: {
    method: 'GET',
    path: '/admin/reports/interrupted',
    roles: REPORTS,
    scope: 'operator',
    load: 'report',
  },
  download: {
    method: 'GET',
    path: '/admin/downloads/:table',
    roles: EVERYBODY,
    scope: 'operator',
    isRecorded: true,
    load: 'job',
  },

  listEvents: { method: 'GET', path: '/admin/events', roles: COMPLIANCE, scope: 'operator' },
  verifyEvents: {
    method: 'POST',
    path: '/admin/events/verify',
    roles: COMPLIANCE,
    scope: 'server',
    isRecorded: true,
    load: 'job',
  },

  listCampaigns: { method: 'GET', path: '/admin/free-rounds/campaigns', roles: EVERYBODY, scope: 'operator' },
  getCampaign: {
    method: 'GET',
    path: '/admin/free-rounds/:operator/campaigns/:campaignID',
    roles: EVERYBODY,
    scope: 'operator',
  },
  priceTerms: {
    method: 'POST',
    path: '/admin/free-rounds/:operator/price',
    roles: GRANTS,
    scope: 'operator',
  },
  createCampaign: {
    method: 'POST',
    path: '/admin/free-rounds/:operator/campaigns',
    roles: GRANTS,
    scope: 'operator',
  },
  cancelCampaign: {
    method: 'POST',
    path: '/admin/free-rounds/:operator/campaigns/:campaignID/cancel',
    roles: GRANTS,
    scope: 'operator',
  },
  listGrants: { method: 'GET', path: '/admin/free-rounds/:operator/grants', roles: EVERYBODY, scope: 'operator' },
  giveGrants: { method: 'POST', path: '/admin/free-rounds/:operator/grants', roles: GRANTS, scope: 'operator' },
  cancelGrant: {
    method: 'POST',
    path: '/admin/free-rounds/:operator/grants/:grantID/cancel',
    roles: GRANTS,
    scope: 'operator',
  },

  listUsers: { method: 'GET', path: '/admin/users', roles: ADMINISTRATOR, scope: 'operator' },
  addUser: { method: 'POST', path: '/admin/users', roles: ADMINISTRATOR, scope: 'operator', twoPerson: true },
  changeUser: {
    method: 'POST',
    path: '/admin/users/:userID',
    roles: ADMINISTRATOR,
    scope: 'operator',
    twoPerson: true,
  },
  newUserLink: {
    method: 'POST',
    path: '/admin/users/:userID/link',
    roles: ADMINISTRATOR,
    scope: 'operator',
    twoPerson: true,
  },
  listUserSessions: { method: 'GET', path: '/admin/users/:userID/sessions', roles: ADMINISTRATOR, scope: 'operator' },
  endUserSessions: {
    method: 'POST',
    path: '/admin/users/:userID/end-sessions',
    roles: ADMINISTRATOR,
    scope: 'operator',
  },

  listApprovals: { method: 'GET', path: '/admin/approvals', roles: EVERYBODY, scope: 'operator' },
  decideApproval: { method: 'POST', path: '/admin/approvals/:approvalID', roles: EVERYBODY, scope: 'operator' },
  showApprovalSecret: {
    method: 'POST',
    path: '/admin/approvals/:approvalID/secret',
    roles: EVERYBODY,
    scope: 'operator',
    isRecorded: true,
  },
  confirmApprovalSecret: {
    method: 'POST',
    path: '/admin/approvals/:approvalID/secret/received',
    roles: EVERYBODY,
    scope: 'operator',
    isRecorded: true,
  },
} as const satisfies Readonly<Record<string, AdminRoute>>;

export type AdminRouteName = keyof typeof ADMIN_ROUTES;

/** Names the requests that wait for a second user with `--two-person`. */
export type TwoPersonRouteName = {
  [Name in AdminRouteName]: (typeof ADMIN_ROUTES)[Name] extends { twoPerson: true } ? Name : never;
}[AdminRouteName];

/**
 * Returns whether a user of this role may send the request. `isOperators` says that the user
 * belongs to an operator.
 */
export function mayCall(name: AdminRouteName, { role, isOperators }: { role: Role; isOperators: boolean }): boolean {
  const { roles, scope }: AdminRoute = ADMIN_ROUTES[name];
  return roles.includes(role) && (scope === 'operator' || !isOperators);
}
