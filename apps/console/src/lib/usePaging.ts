import { useLocation, useNavigate, useSearch } from '@tanstack/react-router';
import type { Search } from './search.ts';

/** The cursors of the pages before this one; the first page is ''. */
type PagingState = { trail?: readonly string[] };

/**
 * Returns the place of a list in the URL: `query` for the request, and functions to turn pages. A
 * cursor leads forward only, so the browser's history entry keeps the way back. A page opened by a
 * link leads back to the first page.
 */
export function usePaging() {
  const search = useSearch({ strict: false }) as Search;
  const trail = useLocation({ select: ({ state }) => (state as PagingState).trail });
  const navigate = useNavigate();
  const cursor = search.cursor || undefined;
  const goTo = (target: string | undefined, state: PagingState) =>
    navigate({ to: '.', search: (current: Search) => ({ ...current, cursor: target }), state } as never);
  return {
    query: cursor === undefined ? {} : { cursor },
    isFirst: cursor === undefined,
    next: (target: string) => goTo(target, { trail: [...(trail ?? []), cursor ?? ''] }),
    previous: () => goTo(trail?.at(-1) || undefined, { trail: trail?.slice(0, -1) ?? [] }),
  };
}

export type Paging = ReturnType<typeof usePaging>;
