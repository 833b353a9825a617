import type { RequestHandler } from 'express';
import { loopbackOrigins } from '../../base/address.ts';
import { errorResponse, sendJson } from '../../base/http/responses.ts';

/**
 * Refuses requests that another page made, or that reached this server by a foreign name. A
 * browser sends `Origin` with each request that may change something, and `Sec-Fetch-Site` with
 * all of them. The session cookie is SameSite=Strict besides.
 */
export function sameOrigin(origins: readonly string[]): RequestHandler {
  const hosts = new Set(origins.map((origin) => new URL(origin).host));
  const refuse = (res: Parameters<RequestHandler>[1], message: string) =>
    sendJson(res, { ...errorResponse('ERR_VAL', message), status: 403 });
  return (req, res, next) => {
    if (!hosts.has(req.get('host') ?? '')) return refuse(res, `the console has another address: ${origins[0]}`);
    const isRead = req.method === 'GET' || req.method === 'HEAD';
    const origin = req.get('origin');
    if (isRead ? origin !== undefined && !origins.includes(origin) : !origins.includes(origin ?? ''))
      return refuse(res, 'the request comes from another page');
    const site = req.get('sec-fetch-site');
    const isNavigation = req.get('sec-fetch-mode') === 'navigate' && req.method === 'GET';
    if (site === undefined || site === 'same-origin' || site === 'none' || isNavigation) return next();
    refuse(res, 'the request comes from another page');
  };
}

/**
 * Leads a browser that opens a page of this machine by another name of it, such as 127.0.0.1, to
 * the name of the console: passkeys and single sign-on belong to one name. Behind a proxy nothing
 * is led elsewhere, because the proxy may change the name.
 */
export function toOwnName(consoleUrl: string): RequestHandler {
  const [own = '', ...others] = loopbackOrigins(consoleUrl).map((origin) => new URL(origin).host);
  return (req, res, next) => {
    const isPage =
      req.method === 'GET' && req.get('sec-fetch-mode') === 'navigate' && !/^\/(admin|api)\//.test(req.path);
    if (!isPage || !others.includes(req.get('host') ?? '')) return next();
    res.redirect(307, `${new URL(consoleUrl).protocol}//${own}${req.originalUrl}`);
  };
}
