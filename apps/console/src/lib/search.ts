/**
 * The search of an address as plain texts: `?betID=0123` stays "0123". The router
 * would turn it into numbers and objects.
 */
export type Search = Readonly<Record<string, string | undefined>>;

export function parseSearch(text: string): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(text));
}

/** Leaves out what is undefined or empty. */
export function stringifySearch(search: Record<string, unknown>): string {
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(search)) {
    if (value !== undefined && value !== null && value !== '') params.set(name, String(value));
  }
  const text = params.toString();
  return text === '' ? '' : `?${text}`;
}

/** Returns the search with changed filters, without the cursor, which belongs to the old ones. */
export function withFilters(search: Search, changes: Search): Search {
  const { cursor: _, ...rest } = { ...search, ...changes };
  return Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== undefined && value !== ''));
}

/** Returns a path with a search, for `PathLink`. */
export function pathOf(path: string, search: Search = {}): string {
  return `${path}${stringifySearch(search)}`;
}

/**
 * Returns a path within the console. `next` comes from the address, so it may be anything, such as
 * another host or a script.
 */
export function pathWithin(next: string | undefined, origin: string): string {
  if (!next?.startsWith('/')) return '/';
  const url = new URL(next, origin);
  return url.origin === origin ? `${url.pathname}${url.search}` : '/';
}
