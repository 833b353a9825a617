import { queryOptions, useQueries, useQuery } from '@tanstack/react-query';
import { type ApiOutput, apiQuery, call } from '../api.ts';
import type { Filter } from '../components/FilterBar.tsx';
import type { Choice } from '../components/Picker.tsx';
import { useAccount } from './useAccount.ts';

const PAGE = 200;
const FRESH_MS = 60_000;

/** Reads a whole list, page by page. */
function wholeList<Name extends 'listOperators' | 'listGames'>(name: Name) {
  type Item = ApiOutput<Name>['items'][number];
  return queryOptions({
    queryKey: [name, 'whole'],
    staleTime: FRESH_MS,
    queryFn: async ({ signal }) => {
      const items: Item[] = [];
      for (let cursor: string | null | undefined; cursor !== null; ) {
        const query = { limit: PAGE, ...(cursor && { cursor }) };
        const page: ApiOutput<'listOperators' | 'listGames'> = await call(name, { query } as never, { signal });
        items.push(...(page.items as Item[]));
        cursor = page.cursor;
      }
      return items;
    },
  });
}

/** The operators that the user sees. */
export function useOperators(): readonly Choice[] {
  const { data = [] } = useQuery(wholeList('listOperators'));
  return data.map(({ code, name }) => choiceOf(code, name));
}

/** All games. */
export function useGames(): readonly Choice[] {
  const { data = [] } = useQuery(wholeList('listGames'));
  return data.map(({ gameID, title }) => choiceOf(gameID, title));
}

/** The games of these ids, as far as they are read. */
export function useGameDetails(gameIDs: readonly string[]) {
  const queries = gameIDs.map((gameID) => ({ ...apiQuery('getGame', { params: { gameID } }), staleTime: FRESH_MS }));
  return useQueries({ queries }).flatMap(({ data }) => data ?? []);
}

/** The currencies that an operator offers, by its code. */
export function useCurrenciesOf(operator: string): readonly string[] {
  const { data = [] } = useQuery(wholeList('listOperators'));
  const own = data.find(({ code }) => code === operator)?.currencies ?? [];
  const all = useCurrencies();
  return own.length > 0 ? own : all;
}

export function useCurrencies(): readonly string[] {
  return useQuery(apiQuery('listPresets', {})).data?.currencies ?? [];
}

/** The filter by operator; an operator's user has none. */
export function useOperatorFilter(): readonly Filter[] {
  const options = useOperators();
  return useAccount().operator === null ? [{ name: 'operator', label: 'Operator', options }] : [];
}

export function useGameFilter(): Filter {
  return { name: 'game', label: 'Game', options: useGames() };
}

/** The code comes first, because tables show it. */
function choiceOf(value: string, name: string): Choice {
  return { value, label: name === value || name === '' ? value : `${value}: ${name}` };
}
