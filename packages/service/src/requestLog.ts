import { randomUUID } from 'node:crypto';
import type { Request, RequestHandler, Response } from 'express';
import type { Logger } from 'pino';
import { type TraceSpan, traceFields } from './traceSpan.ts';

const REQUEST_ID = /^[A-Za-z0-9._-]{1,64}$/;
const MICROSECONDS_PER_MS = 1e3;
const SERVER_ERROR = 500;
const UNMATCHED = 'unmatched';

export type ObservedResponse = {
  /** It is `res.locals.endpoint`, the path in the contract; `other` for a route that sets none. */
  route: string;
  status: number;
  /** It is `res.locals.error`, the code of an error; undefined for every other response. */
  error: string | undefined;
  /** It is `res.locals.traceID`, of a request whose trace is recorded. */
  traceID: string | undefined;
  durationMs: number;
};

type RequestLogOptions = {
  log: Logger;
  /** Called for each response. */
  observe?: (response: ObservedResponse) => void;
  /** Starts the span of a request that is traced. The log names it and ends it. */
  trace?: ((req: Request) => TraceSpan | undefined) | undefined;
};

/** Sets the name in the log of requests without a route, for example all files of a front end. */
export function loggedAs(route: string): RequestHandler {
  return (_req, res, next) => {
    res.locals.route = route;
    next();
  };
}

/**
 * Gives each request its id (the client's own when it is well formed), and writes one log line for
 * each response.
 */
export function requestLog({ log, observe, trace }: RequestLogOptions): RequestHandler {
  // The line below holds no field that can be a credential. Looking for one took longer than
  // writing the line.
  const lines = log.child({}, { redact: [] });
  return (req, res, next) => {
    const given = req.headers['x-request-id'];
    const requestId = typeof given === 'string' && REQUEST_ID.test(given) ? given : randomUUID();
    const startedMs = performance.now();
    const { method, ip } = req;
    res.locals.requestId = requestId;
    res.setHeader('X-Request-Id', requestId);
    const span = trace?.(req);
    if (span !== undefined) followResponse(span, req, res);
    res.on('finish', () => {
      const durationMs = Math.round((performance.now() - startedMs) * MICROSECONDS_PER_MS) / MICROSECONDS_PER_MS;
      const { endpoint, error, traceID } = res.locals;
      observe?.({ route: endpoint ?? 'other', status: res.statusCode, error, traceID, durationMs });
      const route = endpoint ?? routeOf(req, res);
      const status = res.statusCode;
      const line = { requestId, ip, method, route, status, error, durationMs };
      lines.info(span === undefined ? line : { ...line, ...traceFields(span) }, 'request');
    });
    next();
  };
}

/** A client that has gone before the response leaves a span without a status. */
function followResponse(span: TraceSpan, req: Request, res: Response): void {
  res.locals.trace = span;
  res.locals.traceID = span.traceID;
  res.once('close', () => {
    const { endpoint, error } = res.locals;
    const route: string = endpoint ?? routeOf(req, res);
    span.rename(route === UNMATCHED ? req.method : `${req.method} ${route}`);
    const status = res.writableFinished ? res.statusCode : undefined;
    span.set({ 'http.route': route, 'http.response.status_code': status, 'error.type': error });
    const failure = status === undefined ? 'client_gone' : (error ?? String(status));
    // A refusal of a request is not a failure of the server.
    span.end(status === undefined || status >= SERVER_ERROR ? failure : undefined);
  });
}

/**
 * Returns the pattern of the route and never the path of the request, which may hold a sessionID:
 * in the query of a launch URL, in a path of the operator API, or anywhere when either is
 * misspelled.
 */
function routeOf({ route, baseUrl }: Request, { locals }: Response): string {
  return typeof route?.path === 'string' ? `${baseUrl}${route.path}` : (locals.route ?? UNMATCHED);
}
