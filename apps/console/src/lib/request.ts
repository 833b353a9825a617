import { ADMIN_ROUTES, type AdminRouteName } from '@roundhouse/contract/admin-routes';
import { pathOf, type Search } from './search.ts';

export type RequestInput = {
  params?: Readonly<Record<string, string | number>> | undefined;
  query?: Search | undefined;
  body?: unknown;
};
type RequestOptions = { headers?: Record<string, string>; signal?: AbortSignal | undefined };

/** Sends a request by its name in the table of rights, which has its method and path. */
export function request(name: AdminRouteName, input: RequestInput, { headers, signal }: RequestOptions = {}) {
  const { method, path } = ADMIN_ROUTES[name];
  const { params = {}, query, body } = input;
  const filled = path.replace(/:(\w+)/g, (_, key: string) => encodeURIComponent(params[key] ?? ''));
  return fetch(pathOf(filled, query), {
    method,
    credentials: 'same-origin',
    headers: { ...headers, ...(body !== undefined && { 'content-type': 'application/json' }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    ...(signal && { signal }),
  });
}
