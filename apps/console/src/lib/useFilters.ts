import { useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback, useMemo } from 'react';
import { type Search, withFilters } from './search.ts';

/**
 * Returns the filters of these names from the URL, and a function that changes some of them. An
 * unset filter is undefined, so the object fits a request's `query`.
 */
export function useFilters<Name extends string>(...names: readonly Name[]) {
  const search = useSearch({ strict: false }) as Search;
  const navigate = useNavigate();
  const key = names.join(' ');
  const filters = useMemo(() => {
    const entries = (key.split(' ') as Name[]).map((name) => [name, search[name] || undefined] as const);
    return Object.fromEntries(entries.filter(([, value]) => value !== undefined)) as Partial<Record<Name, string>>;
  }, [key, search]);
  const setFilters = useCallback(
    (changes: { [Each in Name]?: string | undefined }) =>
      navigate({ to: '.', search: (current: Search) => withFilters(current, changes), replace: true } as never),
    [navigate],
  );
  return [filters, setFilters] as const;
}
