import { DEMO_ROUTES, FAIRNESS_ROUTES, GAME_ROUTES, type OperatorRouteName } from '@roundhouse/contract';
import {
  anyCell,
  byBet,
  byFirstPlayer,
  byGameSession,
  byGrant,
  byLaunch,
  byPlayer,
  byQueriedPlayer,
  bySession,
  bySessionEnd,
  type Finder,
  type Named,
  type Turns,
} from './find.ts';
import {
  type Merge,
  mergeCampaignList,
  mergeCancelled,
  mergeChanges,
  mergeGrants,
  mergeOneCampaign,
  mergeRounds,
} from './merges.ts';

/** A request goes to one cell, which `one` finds. */
export type OneCell = { one: Finder; isSlow?: boolean; isLarge?: boolean };

/** A request goes to all cells of its operator, and `merge` makes one response of theirs. */
export type AllCells = {
  merge: Merge;
  /** The first cell judges the request before any other one gets it. */
  writes?: boolean;
  /** A cell that has no such thing does not stop the others. */
  allows404?: boolean;
  isSlow?: boolean;
  /** Finds the cells of a request that one cell serves after all. */
  unlessOne?: (named: Named) => Turns | undefined;
};

/**
 * Says for each route of the operator API how its cell is found, or how several responses become
 * one.
 */
export const OPERATOR_TABLE: Readonly<Record<OperatorRouteName, OneCell | AllCells>> = {
  listGames: { one: anyCell },
  createSession: { one: byLaunch },
  endSessions: { one: bySessionEnd },
  revokeSession: { one: bySession },
  listRounds: { merge: mergeRounds },
  listPlayerRounds: { one: byPlayer },
  getRound: { one: byBet },
  voidRound: { one: byBet },
  createCampaign: { merge: mergeOneCampaign, writes: true, isSlow: true },
  listCampaigns: { merge: mergeCampaignList },
  getCampaign: { merge: mergeOneCampaign, allows404: true },
  cancelCampaign: { merge: mergeCancelled, writes: true, allows404: true, isSlow: true },
  giveGrants: { one: byFirstPlayer, isSlow: true, isLarge: true },
  listGrants: { merge: mergeGrants, unlessOne: byQueriedPlayer },
  getGrant: { one: byGrant },
  cancelGrant: { one: byGrant },
  listGrantChanges: { merge: mergeChanges },
};

/**
 * Requests in a dialect's own protocol; a cell that does not have the player names the next one.
 */
export const DIALECTS: OneCell & { path: string } = { path: '/dialects/:operator/*rest', one: anyCell, isSlow: true };

/**
 * Launch URLs lead games to a cell, so the router serves only those of sessions without a launch.
 */
export const GAME_TABLE: readonly (OneCell & { method: 'GET' | 'POST'; path: string })[] = [
  ...Object.values({ ...GAME_ROUTES, ...FAIRNESS_ROUTES }).map((route) => ({
    ...route,
    // A replay shows published math, and a wallet may take its time.
    one: route.method === 'GET' ? anyCell : byGameSession,
    isSlow: true,
  })),
  ...Object.values(DEMO_ROUTES).map((route) => ({ ...route, one: anyCell })),
];
