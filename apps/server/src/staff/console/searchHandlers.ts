import type { adminContract, HitKind, SearchGroup, SearchHit } from '@roundhouse/contract/admin';
import { rowIDOf } from '../../base/http/cursor.ts';
import type { Handlers } from '../../base/http/endpoints.ts';
import { ok } from '../../base/http/responses.ts';
import { sha256Of } from '../../rounds/sessions/sessionToken.ts';
import {
  type SearchScope,
  searchCampaigns,
  searchGames,
  searchGrants,
  searchOperators,
  searchPlayers,
  searchRound,
  searchSession,
  searchWalletTransactions,
} from '../../store/staff/search.ts';
import type { AdminDeps } from './adminDeps.ts';
import { scopeOf } from './operatorScope.ts';

/** An operator may write it without hyphens, as some dialects do. */
const TRANSACTION_ID = /^[\da-f]{8}-?[\da-f]{4}-?[\da-f]{4}-?[\da-f]{4}-?[\da-f]{12}$/i;

/**
 * Finds what a text names, of every kind. The text may be a sessionID: nothing stores or returns
 * it.
 */
export function searchHandlers({ db }: AdminDeps): Pick<Handlers<typeof adminContract>, 'search'> {
  const find = async (kind: HitKind, hits: Promise<SearchHit[]>): Promise<SearchGroup> => ({ kind, hits: await hits });

  async function rounds(scope: SearchScope, text: string): Promise<SearchHit[]> {
    const roundID = rowIDOf(text);
    if (roundID === undefined) return [];
    const found = await searchRound(db, { ...scope, roundID });
    return found.map(({ operator, playerID, gameID, isOpen }) => ({
      id: text,
      operator,
      detail: `${gameID}, ${playerID}, ${isOpen ? 'open' : 'ended'}`,
    }));
  }

  async function walletTransactions(scope: SearchScope, text: string): Promise<SearchHit[]> {
    const transactionID = TRANSACTION_ID.test(text) ? text : undefined;
    const found = await searchWalletTransactions(db, { ...scope, reference: text, transactionID });
    return found.map(({ transactionID, roundID, operator, kind, state }) => ({
      id: transactionID,
      operator,
      betID: String(roundID),
      detail: `${kind}, ${state}`,
    }));
  }

  async function sessions(scope: SearchScope, text: string): Promise<SearchHit[]> {
    const found = await searchSession(db, { ...scope, tokenSha256: sha256Of(text) });
    return found.map(({ operator, playerID, gameID, state, createdAt }) => ({
      id: playerID ?? '',
      operator,
      ...(playerID !== null && { playerID }),
      detail: `${gameID}, ${state}, created ${createdAt.toISOString()}`,
    }));
  }

  async function players(scope: SearchScope, text: string): Promise<SearchHit[]> {
    const found = await searchPlayers(db, { ...scope, text });
    return found.map(({ operator, playerID }) => ({ id: playerID, operator, detail: '' }));
  }

  async function games(text: string): Promise<SearchHit[]> {
    const found = await searchGames(db, text);
    return found.map(({ gameID, title }) => ({ id: gameID, operator: null, detail: title }));
  }

  async function operators(scope: SearchScope, text: string): Promise<SearchHit[]> {
    const found = await searchOperators(db, { ...scope, text });
    return found.map(({ code, name }) => ({ id: code, operator: code, detail: name }));
  }

  async function campaigns(scope: SearchScope, text: string): Promise<SearchHit[]> {
    const found = await searchCampaigns(db, { ...scope, text });
    return found.map(({ operator, campaignID }) => ({ id: campaignID, operator, detail: '' }));
  }

  async function grants(scope: SearchScope, text: string): Promise<SearchHit[]> {
    const found = await searchGrants(db, { ...scope, text });
    return found.map(({ operator, grantID, campaignID, playerID, state }) => ({
      id: grantID,
      operator,
      playerID,
      ...(campaignID !== null && { campaignID }),
      detail: `${playerID}, ${state}`,
    }));
  }

  return {
    search: async ({ body: { text }, res }) => {
      const scope = scopeOf(res);
      const groups = await Promise.all([
        find('round', rounds(scope, text)),
        find('walletTransaction', walletTransactions(scope, text)),
        find('session', sessions(scope, text)),
        find('player', players(scope, text)),
        find('game', games(text)),
        find('operator', operators(scope, text)),
        find('campaign', campaigns(scope, text)),
        find('grant', grants(scope, text)),
      ]);
      return ok({ groups: groups.filter(({ hits }) => hits.length > 0) });
    },
  };
}
