import type { RequestHandler } from 'express';
import { InvalidRequest } from './readBody.ts';

const ONE_DAY_SECONDS = 86_400;
const OPERATOR_PATH = /^\/(operator|dialects)\//;

/**
 * No browser may take a response for another type than its Content-Type. Pages of any origin may
 * send requests without credentials: the sessionID in the body is the only one. The paths for
 * operators allow no page: an operator's server signs with a secret that no page has.
 */
export const commonHeaders: RequestHandler = (req, res, next) => {
  res.setHeader('X-Content-Type-Options', 'nosniff');
  if (OPERATOR_PATH.test(req.path)) return next();
  res.setHeader('Access-Control-Allow-Origin', '*');
  res.setHeader('Access-Control-Expose-Headers', 'X-Request-Id, Retry-After');
  if (req.method !== 'OPTIONS') return next();
  res.setHeader('Access-Control-Allow-Methods', 'GET, POST');
  res.setHeader('Access-Control-Allow-Headers', 'Content-Type, Idempotency-Key');
  res.setHeader('Access-Control-Max-Age', ONE_DAY_SECONDS);
  // The status is 200, not 204: the game endpoints use 200, 400 and 500 only.
  res.status(200).end();
};

/** HTTP/1.1 demands a Host. Without it a proxy may route the request of one server to another. */
export const requireHost: RequestHandler = ({ httpVersion, headers }, _res, next) => {
  if (httpVersion === '1.1' && headers.host === undefined) throw new InvalidRequest('the request has no Host');
  next();
};
