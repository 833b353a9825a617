import { queryOptions } from '@tanstack/react-query';
import { reportError } from '../api.ts';
import { AwayError, errorOf } from '../lib/errors.ts';
import { request } from '../lib/request.ts';

export type SearchHit = { label: string; detail?: string; path: string };
export type SearchGroup = { label: string; hits: readonly SearchHit[] };

/** Asks the server for everything that a text may mean. */
export function searchQuery(text: string) {
  return queryOptions({
    queryKey: ['search', text],
    queryFn: async ({ signal }): Promise<readonly SearchGroup[]> => {
      const response = await request('search', { query: { q: text } }, { signal }).catch(() => {
        throw reportError(new AwayError(false));
      });
      const body: unknown = await response.json().catch(() => undefined);
      if (!response.ok) throw reportError(errorOf(response.status, body));
      return (body as { groups: readonly SearchGroup[] }).groups;
    },
  });
}
