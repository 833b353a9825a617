import { randomUUID } from 'node:crypto';
import type { RequestHandler } from 'express';
import type { Logger } from 'pino';

const REQUEST_ID = /^[A-Za-z0-9._-]{1,64}$/;

/** Gives each request its id (the caller's own when it sent a sound one) and one log line. The route's pattern, never the path: a path that is slightly wrong may hold a sessionID. */
export function requestLog(log: Logger): RequestHandler {
  return (req, res, next) => {
    const given = req.headers['x-request-id'];
    const requestId = typeof given === 'string' && REQUEST_ID.test(given) ? given : randomUUID();
    const startedAtMs = performance.now();
    const { method } = req;
    res.locals.requestId = requestId;
    res.setHeader('X-Request-Id', requestId);
    res.on('finish', () => {
      const durationMs = Math.round(performance.now() - startedAtMs);
      const route = typeof req.route?.path === 'string' ? `${req.baseUrl}${req.route.path}` : 'unmatched';
      log.info({ requestId, method, route, status: res.statusCode, error: res.locals.error, durationMs }, 'request');
    });
    next();
  };
}
