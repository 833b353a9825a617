import type { RequestHandler } from 'express';

const ONE_DAY_SECONDS = 86_400;
const OPERATOR_PATH = /^\/operator\//;

/**
 * Any origin, no credentials (wire.md, "Everywhere"): the sessionID in the body is the only credential there is. An operator calls
 * from its own servers, with a secret that no page may hold: its paths are for no other origin.
 */
export const crossOrigin: RequestHandler = (req, res, next) => {
  if (OPERATOR_PATH.test(req.path)) return next();
  res.setHeader('Access-Control-Allow-Origin', '*');
  res.setHeader('Access-Control-Expose-Headers', 'X-Request-Id');
  if (req.method !== 'OPTIONS') return next();
  res.setHeader('Access-Control-Allow-Methods', 'GET, POST');
  res.setHeader('Access-Control-Allow-Headers', 'Content-Type, Idempotency-Key');
  res.setHeader('Access-Control-Max-Age', ONE_DAY_SECONDS);
  // 200 and not 204: the five endpoints answer 200, 400 or 500 and nothing else.
  res.status(200).end();
};
