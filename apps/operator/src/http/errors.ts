import type { ErrorRequestHandler } from 'express';
import type { Logger } from 'pino';
import * as z from 'zod';
import { RgsRefusal, RgsUnreachable } from '../rgsClient.ts';

/** The client sent something wrong; the message tells it what. */
export class InvalidRequest extends Error {
  override name = 'InvalidRequest';
  readonly status: 400 | 401 | 403 | 404;

  constructor(message: string, status: 400 | 401 | 403 | 404 = 400) {
    super(message);
    this.status = status;
  }
}

type PathPart = PropertyKey | { key: PropertyKey };
type InvalidBody = { issues?: readonly { path?: readonly PathPart[] | undefined; message: string }[] };

/** Returns the first issue of a body, for its sender: field and rule, never the value. */
export function describeIssue(body: InvalidBody | null | undefined): string {
  const issue = body?.issues?.[0];
  if (issue === undefined) return 'the request is not valid';
  const field = (issue.path ?? []).map((part) => String(typeof part === 'object' ? part.key : part)).join('.');
  return field === '' ? issue.message : `${field}: ${issue.message}`;
}

/** Returns the issue in an error of Express's body readers; undefined for every other error. */
export function bodyIssue(error: unknown): string | undefined {
  const { status, type } = (error ?? {}) as { status?: unknown; type?: unknown };
  if (typeof status !== 'number' || status < 400 || status >= 500) return undefined;
  if (type === 'encoding.unsupported') return 'the body has a Content-Encoding; only a plain body is taken';
  return status === 413 ? 'the body is too large' : 'the request cannot be read';
}

/** Returns the responses to the lobby page when a request fails. */
export function apiErrorHandler({ log }: { log: Logger }): ErrorRequestHandler {
  return (error: unknown, _req, res, next) => {
    if (res.headersSent) return next(error);
    const requestId = res.locals.requestId;
    if (error instanceof InvalidRequest || error instanceof RgsRefusal) {
      return res.status(error.status).json({ error: 'ERR_VAL', message: error.message });
    }
    const issue = error instanceof z.ZodError ? describeIssue(error) : bodyIssue(error);
    if (issue !== undefined) return res.status(400).json({ error: 'ERR_VAL', message: issue });
    if (error instanceof RgsUnreachable) {
      log.warn({ err: error, requestId }, 'no valid response of the game server');
      return res.status(502).json({ error: 'ERR_GEN', message: 'the game server cannot be reached' });
    }
    log.error({ err: error, requestId }, 'request failed');
    return res.status(500).json({ error: 'ERR_GEN', message: 'this did not work' });
  };
}
