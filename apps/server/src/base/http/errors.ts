import { fileRefusal, isConnectionLost, Overload, sqlState, traceFields } from '@roundhouse/service';
import type { ErrorRequestHandler, Request, Response } from 'express';
import { LRUCache } from 'lru-cache';
import type { Logger } from 'pino';
import { InvalidRequest } from './readBody.ts';
import { type ErrorResponse, errorResponse, notFound, sendJson } from './responses.ts';

const PAUSE_MS = 1_000;
const MAX_KINDS = 100;
/**
 * PostgreSQL lacks a resource, for example a connection, or has ended a statement by its time
 * limit.
 */
const BUSY_STATE = /^(?:53|57014|55P03)/;

/** The pool says this when all its connections are in use for too long. */
const NO_CONNECTION = 'timeout exceeded when trying to connect';

type ErrorContext = { err: unknown; requestId?: string; trace_id?: string; span_id?: string };
export type ErrorLog = (context: ErrorContext, message: string) => void;

/**
 * Logs the same error at most once a second, and adds to the next line how often it was left out.
 * An error under load hits a thousand requests at once, and each request already has its line.
 */
export function createErrorLog(log: Logger): ErrorLog {
  const logged = new LRUCache<string, { untilMs: number; leftOut: number }>({ max: MAX_KINDS });
  return (context, message) => {
    const kind = `${message}: ${context.err}`;
    const last = logged.get(kind);
    const nowMs = performance.now();
    if (last !== undefined && nowMs < last.untilMs) {
      last.leftOut += 1;
      return;
    }
    logged.set(kind, { untilMs: nowMs + PAUSE_MS, leftOut: 0 });
    const leftOut = last?.leftOut ?? 0;
    log.error({ ...context, ...(leftOut > 0 && { leftOut }) }, message);
  };
}

export type ErrorHandlerDeps = {
  logError: ErrorLog;
  /** Called when the server refuses a request because `queue` is full. */
  observeOverload(queue: Overload['queue']): void;
  /** Returns true when no database takes writes, or every connection to it is in use. */
  isDatabaseBusy(): boolean;
  /** Returns another refusal when it comes before the one for an invalid request. */
  refuseFirst(req: Request, response: ErrorResponse): Promise<ErrorResponse>;
};

/**
 * An invalid request is ERR_VAL. Every other error is the server's: the log gets its stack, the
 * response no details.
 */
export function createErrorHandler({
  logError,
  observeOverload,
  isDatabaseBusy,
  refuseFirst,
}: ErrorHandlerDeps): ErrorRequestHandler {
  const serverError = (err: unknown, res: Response): ErrorResponse => {
    logError({ err, requestId: res.locals.requestId, ...traceFields(res.locals.trace) }, 'request failed');
    if (err instanceof Overload) {
      observeOverload(err.queue);
      return errorResponse('ERR_GEN', 'the server has too much to do at the moment; nothing was done', true);
    }
    const isWithoutConnection = isConnectionLost(err) || (err as Error | undefined)?.message === NO_CONNECTION;
    const isBrief = isWithoutConnection || isDatabaseBusy() || BUSY_STATE.test(sqlState(err) ?? '');
    return errorResponse('ERR_GEN', 'the server could not do this; nothing is known to be lost', isBrief);
  };
  return async (error: unknown, req, res, next) => {
    if (res.headersSent) {
      // A part of the response is on its way: the client must not take it for the whole.
      logError({ err: error, requestId: res.locals.requestId, ...traceFields(res.locals.trace) }, 'response cut');
      return void res.destroy();
    }
    // A path that cannot be decoded names nothing.
    if (error instanceof URIError) return notFound(req, res, next);
    const refused = fileRefusal(error);
    if (refused !== undefined) {
      const { status, headers, message } = refused;
      return sendJson(res.set(headers), { status, body: errorResponse('ERR_VAL', message).body });
    }
    const message = invalidRequestMessage(error);
    const response =
      message === undefined ? serverError(error, res) : await refuseFirst(req, errorResponse('ERR_VAL', message));
    sendJson(res, response);
  };
}

/** Tells the client what is wrong with the request; undefined when the error is the server's. */
export function invalidRequestMessage(error: unknown): string | undefined {
  if (error instanceof InvalidRequest) return error.message;
  // The body reader throws http-errors, with a status.
  const { status, type } = (error ?? {}) as { status?: unknown; type?: unknown };
  if (typeof status !== 'number' || status < 400 || status >= 500) return undefined;
  if (type === 'encoding.unsupported') return 'the body has a Content-Encoding; only a plain body is taken';
  return status === 413 ? 'the body is larger than 16 KiB' : 'the request cannot be read';
}
