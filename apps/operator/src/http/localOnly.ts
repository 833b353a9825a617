import type { RequestHandler } from 'express';
import { InvalidRequest } from './invalidRequest.ts';

const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]']);

/**
 * The lobby has no login, so only pages of this very machine may use it. The Origin gives away a page from elsewhere; one whose name was made to
 * point here (DNS rebinding) by the Host that its requests carry.
 */
export function localOnly(hosts: readonly string[]): RequestHandler {
  const isLocal = (url: string) => {
    const hostname = hostnameOf(url);
    return (
      hostname !== undefined && (LOOPBACK.has(hostname) || hostname.endsWith('.localhost') || hosts.includes(hostname))
    );
  };
  return (req, _res, next) => {
    if (!isLocal(`http://${req.headers.host}`))
      throw new InvalidRequest('the lobby is not called under this host', 403);
    const { origin } = req.headers;
    if (origin !== undefined && !isLocal(origin)) throw new InvalidRequest('the page is from somewhere else', 403);
    next();
  };
}

function hostnameOf(url: string): string | undefined {
  return URL.canParse(url) ? new URL(url).hostname : undefined;
}

/** Balances and statements are of the moment: no cache on the way may keep them. */
export const neverStored: RequestHandler = (_req, res, next) => {
  res.setHeader('Cache-Control', 'no-store');
  next();
};
