import { randomUUID } from 'node:crypto';
import type { Request, RequestHandler } from 'express';
import type { Logger } from 'pino';
import type { Metrics } from './metrics.ts';

const REQUEST_ID = /^[A-Za-z0-9._-]{1,64}$/;
const NANOSECONDS_PER_MS = 1e6;

/** ts-rest marks a request with the contract's route that answers it. */
type RoutedRequest = Request & { tsRestRoute?: { path: string } };

/**
 * Gives each request its id (the caller's own when it sent a sound one), and one log line and one measurement when it is
 * answered. The path only: the query of a launch URL holds the sessionID.
 */
export function requestLog({ log, metrics }: { log: Logger; metrics: Metrics }): RequestHandler {
  return (req, res, next) => {
    const given = req.headers['x-request-id'];
    const requestId = typeof given === 'string' && REQUEST_ID.test(given) ? given : randomUUID();
    const startedAt = process.hrtime.bigint();
    const { method, ip } = req;
    const path = withoutCredential(req.path);
    res.locals.requestId = requestId;
    res.setHeader('X-Request-Id', requestId);
    res.on('finish', () => {
      const durationMs = Number(process.hrtime.bigint() - startedAt) / NANOSECONDS_PER_MS;
      const route = (req as RoutedRequest).tsRestRoute?.path ?? 'other';
      metrics.requests.observe({ route, status: res.statusCode }, durationMs);
      const { error } = res.locals;
      log.info({ requestId, ip, method, path, status: res.statusCode, error, durationMs }, 'request');
    });
    next();
  };
}

/** The one path that names a session. */
function withoutCredential(path: string): string {
  return path.replace(/^(\/operator\/sessions\/).+/i, '$1:sessionID');
}
