import { fileRefusal } from '@roundhouse/service';
import type { ErrorRequestHandler } from 'express';
import * as z from 'zod';
import { RgsRefusal, RgsUnreachable } from '../rgs/rgsClient.ts';
import type { HttpDeps } from './httpDeps.ts';
import { bodyIssue, describeIssue, InvalidRequest } from './invalidRequest.ts';

/** The response to the lobby page when a request fails. */
export function answerApiErrors({ log }: Pick<HttpDeps, 'log'>): ErrorRequestHandler {
  return (error: unknown, _req, res, next) => {
    if (res.headersSent) return next(error);
    const requestId = res.locals.requestId;
    if (error instanceof InvalidRequest || error instanceof RgsRefusal) {
      return res.status(error.status).json({ error: 'ERR_VAL', message: error.message });
    }
    const fault = error instanceof z.ZodError ? describeIssue(error) : bodyIssue(error);
    if (fault !== undefined) return res.status(400).json({ error: 'ERR_VAL', message: fault });
    if (error instanceof RgsUnreachable) {
      log.warn({ err: error, requestId }, 'the game server did not answer as it should');
      return res.status(502).json({ error: 'ERR_GEN', message: 'the game server cannot be reached' });
    }
    log.error({ err: error, requestId }, 'request failed');
    return res.status(500).json({ error: 'ERR_GEN', message: 'this did not work' });
  };
}

/** For the files of the page. */
export function answerFileErrors({ log }: Pick<HttpDeps, 'log'>): ErrorRequestHandler {
  return (error: unknown, _req, res, next) => {
    if (res.headersSent) return next(error);
    const refused = fileRefusal(error);
    if (refused !== undefined) {
      // The type of the file is set already.
      res.status(refused.status).set(refused.headers).type('json');
      return res.json({ error: 'ERR_VAL', message: refused.message });
    }
    log.error({ err: error, requestId: res.locals.requestId }, 'request failed');
    return res.status(500).json({ error: 'ERR_GEN', message: 'this did not work' });
  };
}
