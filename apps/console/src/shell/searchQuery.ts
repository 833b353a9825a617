import type { HitKind, SearchHit } from '@roundhouse/contract/admin';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../api.ts';
import { campaignPath, gamePath, operatorPath, playerPath, roundPath } from '../components/links.tsx';
import { pathOf } from '../lib/search.ts';

const LABELS: Readonly<Record<HitKind, string>> = {
  round: 'Rounds',
  walletTransaction: 'Wallet transactions',
  session: 'Sessions',
  player: 'Players',
  game: 'Games',
  operator: 'Operators',
  campaign: 'Campaigns',
  grant: 'Grants',
};

export type Found = { key: string; label: string; detail: string; path: string };
export type FoundGroup = { label: string; hits: readonly Found[] };

/** Asks the server for everything that matches a text. */
export function searchQuery(text: string) {
  return queryOptions({
    queryKey: ['search', text],
    queryFn: async ({ signal }): Promise<readonly FoundGroup[]> => {
      const { groups } = await call('search', { body: { text } }, { signal });
      return groups.map(({ kind, hits }) => ({ label: LABELS[kind], hits: hits.map((hit) => foundOf(kind, hit)) }));
    },
  });
}

/** Returns a hit as a line that leads to its page. */
function foundOf(kind: HitKind, hit: SearchHit): Found {
  const { id, operator, detail } = hit;
  const label = kind === 'session' ? `Session of ${id || 'no player yet'}` : id;
  const parts = [operator === id ? '' : operator, detail].filter((part) => part);
  return { key: [kind, operator, id].join(' '), label, detail: parts.join(', '), path: pagePath(kind, hit) };
}

function pagePath(kind: HitKind, { id, operator: code, betID, playerID, campaignID }: SearchHit): string {
  const operator = code ?? '';
  switch (kind) {
    case 'round':
      return roundPath({ betID: id });
    case 'walletTransaction':
      return roundPath({ betID: betID ?? '' });
    case 'session':
      return playerID === undefined ? pathOf('/players', { operator }) : playerPath({ operator, playerID });
    case 'player':
      return playerPath({ operator, playerID: id });
    case 'game':
      return gamePath(id);
    case 'operator':
      return operatorPath(id);
    case 'campaign':
      return campaignPath({ operator, campaignID: id });
    case 'grant':
      if (campaignID !== undefined) return campaignPath({ operator, campaignID });
      return pathOf(playerPath({ operator, playerID: playerID ?? '' }), { tab: 'grants' });
  }
}

/**
 * Returns the page with all hits of a text. The text is after the #, which browsers do not send to
 * a server, because it may be a sessionID.
 */
export function searchPath(text: string): string {
  return `/search#${encodeURIComponent(text)}`;
}
