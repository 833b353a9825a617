import { randomUUID } from 'node:crypto';
import type { Request, RequestHandler, Response } from 'express';
import type { Logger } from 'pino';
import type { Metrics } from './metrics.ts';

const REQUEST_ID = /^[A-Za-z0-9._-]{1,64}$/;
const NANOSECONDS_PER_MS = 1e6;

/** The name under which a group of requests is logged that has no route of its own, for example the files of a front end. */
export function loggedAs(route: string): RequestHandler {
  return (_req, res, next) => {
    res.locals.route = route;
    next();
  };
}

/**
 * Gives each request its id (the caller's own when it sent a sound one), and one log line and one measurement when it is
 * answered.
 */
export function requestLog({ log, metrics }: { log: Logger; metrics: Metrics }): RequestHandler {
  return (req, res, next) => {
    const given = req.headers['x-request-id'];
    const requestId = typeof given === 'string' && REQUEST_ID.test(given) ? given : randomUUID();
    const startedAt = process.hrtime.bigint();
    const { method, ip } = req;
    res.locals.requestId = requestId;
    res.setHeader('X-Request-Id', requestId);
    res.on('finish', () => {
      const durationMs = Number(process.hrtime.bigint() - startedAt) / NANOSECONDS_PER_MS;
      // The path in the contract, for a route that has one.
      const { endpoint, error } = res.locals;
      metrics.requests.observe({ route: endpoint ?? 'other', status: res.statusCode }, durationMs);
      const route = endpoint ?? routeOf(req, res);
      log.info({ requestId, ip, method, route, status: res.statusCode, error, durationMs }, 'request');
    });
    next();
  };
}

/**
 * The pattern of the route, never the path that was asked for: a sessionID stands in the query of a launch URL and in one path of the
 * operator API, and where either is slightly wrong it stands anywhere in the path.
 */
function routeOf({ route }: Request, { locals }: Response): string {
  return typeof route?.path === 'string' ? route.path : (locals.route ?? 'unmatched');
}
