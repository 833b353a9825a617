import type { Request, RequestHandler, Response } from 'express';
import { InvalidRequest } from './readBody.ts';

const ONE_DAY_SECONDS = 86_400;
/** No page reads these: a server signs the requests of an operator, and staff watch the metrics. */
const NOT_FOR_PAGES = /^\/(?:operator\/|dialects\/|metrics$)/;
/** The game protocol. A page on a public server may play on a server in a private network. */
const GAME_PATH = /^\/(?:wallet|bet|fairness|demo)\//;
/** Names of headers (RFC 9110, 5.6.2), with commas between them. */
const HEADER_NAMES = /^[\w!#$%&'*+.^`|~-]+(?:[ \t]*,[ \t]*[\w!#$%&'*+.^`|~-]+)*$/;
/** A preflight that requests no header gets these. */
const USUAL_HEADERS = 'Content-Type, Idempotency-Key, X-Request-Id';

/** A page may read these of each response, beside those that the Fetch standard lists as safe. */
const EXPOSED_HEADERS = 'X-Request-Id, Retry-After, Content-Disposition';

/** These lines let pages of any origin read a response that is written without the application. */
export const CROSS_ORIGIN_LINES = [
  'Access-Control-Allow-Origin: *',
  `Access-Control-Expose-Headers: ${EXPOSED_HEADERS}`,
] as const;

/**
 * No browser may take a response for another type than its Content-Type. Pages of any origin may
 * send requests without credentials: the sessionID in the body is the only one.
 */
export const commonHeaders: RequestHandler = (req, res, next) => {
  res.setHeader('X-Content-Type-Options', 'nosniff');
  if (NOT_FOR_PAGES.test(req.path)) return next();
  res.setHeader('Access-Control-Allow-Origin', '*');
  if (req.method === 'OPTIONS') return allow(req, res);
  res.setHeader('Access-Control-Expose-Headers', EXPOSED_HEADERS);
  next();
};

/**
 * Allows what a preflight requests. Tracing and studios' proxies add their headers, and the server
 * ignores the ones that it does not know.
 */
function allow({ headers, path }: Request, res: Response): void {
  const asked = String(headers['access-control-request-headers'] ?? '').trim();
  res.setHeader('Access-Control-Allow-Methods', 'GET, POST, PUT, DELETE');
  res.setHeader('Access-Control-Allow-Headers', HEADER_NAMES.test(asked) ? asked : USUAL_HEADERS);
  res.setHeader('Access-Control-Max-Age', ONE_DAY_SECONDS);
  const vary = ['Access-Control-Request-Headers'];
  if (GAME_PATH.test(path)) {
    vary.push('Access-Control-Request-Private-Network');
    if (headers['access-control-request-private-network'] === 'true')
      res.setHeader('Access-Control-Allow-Private-Network', 'true');
  }
  res.setHeader('Vary', vary.join(', '));
  // The status is 200, not 204: the game endpoints use 200, 400 and 500 only.
  res.status(200).end();
}

/** HTTP/1.1 demands a Host. Without it a proxy may route the request of one server to another. */
export const requireHost: RequestHandler = ({ httpVersion, headers }, _res, next) => {
  if (httpVersion === '1.1' && headers.host === undefined) throw new InvalidRequest('the request has no Host');
  next();
};
