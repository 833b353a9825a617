import type { ErrorRequestHandler } from 'express';
import * as z from 'zod';
import { RgsRefusal, RgsUnreachable } from '../rgs/rgsClient.ts';
import { bodyFault, describeFault } from './describeFault.ts';
import type { HttpParts } from './httpParts.ts';
import { InvalidRequest } from './invalidRequest.ts';

/** What the lobby page is told when a call fails. */
export function answerApiErrors({ log }: Pick<HttpParts, 'log'>): ErrorRequestHandler {
  return (error: unknown, _req, res, next) => {
    if (res.headersSent) return next(error);
    const requestId = res.locals.requestId;
    if (error instanceof InvalidRequest || error instanceof RgsRefusal) {
      return res.status(error.status).json({ error: 'ERR_VAL', message: error.message });
    }
    const fault = error instanceof z.ZodError ? describeFault(error) : bodyFault(error);
    if (fault !== undefined) return res.status(400).json({ error: 'ERR_VAL', message: fault });
    if (error instanceof RgsUnreachable) {
      log.warn({ err: error, requestId }, 'the game server did not answer as it should');
      return res.status(502).json({ error: 'ERR_GEN', message: 'the game server cannot be reached' });
    }
    log.error({ err: error, requestId }, 'request failed');
    return res.status(500).json({ error: 'ERR_GEN', message: 'this did not work' });
  };
}

/** What a file of the page cannot be asked for: a part that it does not have, a path that cannot be read. */
export function answerFileErrors({ log }: Pick<HttpParts, 'log'>): ErrorRequestHandler {
  return (error: unknown, _req, res, next) => {
    if (res.headersSent) return next(error);
    const { status, headers } = (error ?? {}) as { status?: unknown; headers?: Record<string, string> };
    if (typeof status === 'number' && status >= 400 && status < 500) {
      return (
        res
          .status(status)
          .set(headers ?? {})
          // The type of the file stands there already.
          .type('json')
          .json({ error: 'ERR_VAL', message: 'the file cannot be asked for like this' })
      );
    }
    log.error({ err: error, requestId: res.locals.requestId }, 'request failed');
    return res.status(500).json({ error: 'ERR_GEN', message: 'this did not work' });
  };
}
