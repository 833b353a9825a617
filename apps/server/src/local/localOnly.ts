import { isIP } from 'node:net';
import type { RequestHandler } from 'express';
import { isLoopback } from '../base/address.ts';
import { errorResponse, sendJson } from '../base/http/responses.ts';

/** User, path and query have no place in a Host, and the URL parser would drop them. */
const HOST = /^[^/\\?#@]+$/;

/**
 * The paths for local work need no login, so a page from elsewhere must not use them. Origin shows
 * such a page, and Host a name that points here by DNS rebinding (decision 013). A page on another
 * port of the same name or address may use them.
 *
 * @param allowed names beside loopback names and addresses; `.example.com` stands for this name and
 * all below it, `*` for every name
 */
export function localOnly(allowed: readonly string[]): RequestHandler {
  return ({ headers }, res, next) => {
    const host = headers.host === undefined ? undefined : hostnameOf(headers.host);
    if (host === undefined || !(isIP(host) !== 0 || isAllowed(host, allowed))) {
      return refuse(res, 'this path does not serve this host; --allow-host of `roundhouse dev` allows a name');
    }
    const { origin } = headers;
    if (origin === undefined) return next();
    const page = URL.canParse(origin) ? hostnameOf(new URL(origin).host) : undefined;
    if (page !== undefined && (page === host || isAllowed(page, allowed))) return next();
    refuse(res, 'this path does not serve pages of this origin; --allow-host of `roundhouse dev` allows a name');
  };
}

function refuse(res: Parameters<RequestHandler>[1], message: string): void {
  sendJson(res, { ...errorResponse('ERR_VAL', message), status: 403 });
}

/** Returns it in lower case, without port, brackets and the dot at the end of a whole name. */
function hostnameOf(host: string): string | undefined {
  if (!HOST.test(host) || !URL.canParse(`http://${host}`)) return undefined;
  return new URL(`http://${host}`).hostname.replace(/^\[|\]$|\.$/g, '');
}

function isAllowed(name: string, allowed: readonly string[]): boolean {
  if (isLoopback(name) || name.endsWith('.localhost')) return true;
  return allowed.some((each) => {
    const wanted = each.toLowerCase();
    return wanted === '*' || wanted === name || (wanted.startsWith('.') && `.${name}`.endsWith(wanted));
  });
}
