import type { ErrorRequestHandler } from 'express';
import { Overload } from '../ledger/batcher.ts';
import { earlyRefusal } from '../play/earlyRefusal.ts';
import type { HttpParts } from './httpParts.ts';
import { InvalidBody } from './invalidBody.ts';
import { nothingHere } from './nothingHere.ts';
import { type ErrorResponse, errorResponse } from './refusalResponses.ts';
import { firstFault, RequestValidationError } from './validationFaults.ts';

/** What a client did wrong becomes ERR_VAL; everything else is ours: logged with its stack, answered without a word of it. */
export function createErrorHandler(parts: Pick<HttpParts, 'lookUps' | 'logError' | 'metrics'>): ErrorRequestHandler {
  const ours = (err: unknown, requestId: string): ErrorResponse => {
    parts.logError({ err, requestId }, 'request failed');
    if (!(err instanceof Overload))
      return errorResponse('ERR_GEN', 'the server could not do this; nothing is known to be lost');
    parts.metrics.overloads.inc({ queue: err.queue });
    return errorResponse('ERR_GEN', 'the server has too much to do at the moment; nothing was done');
  };
  return async (error: unknown, req, res, next) => {
    if (res.headersSent) return next(error);
    // A path that cannot be decoded names nothing.
    if (error instanceof URIError) return nothingHere(req, res, next);
    if (isFileRefusal(error)) {
      const { body } = errorResponse('ERR_VAL', FILE_REFUSALS[error.status]);
      return res
        .status(error.status)
        .set(error.headers ?? {})
        .json(body);
    }
    const fault = clientFault(error);
    const { status, body } =
      fault === undefined
        ? ours(error, res.locals.requestId)
        : await earlyRefusal(parts, req, errorResponse('ERR_VAL', fault));
    res.status(status).json(body);
  };
}

/** Of a request for a part or a version of a file. Nothing else is answered so. */
const FILE_REFUSALS = { 412: 'the file is another one', 416: 'the file has no such part' } as const;

type FileRefusal = { status: keyof typeof FILE_REFUSALS; headers?: Record<string, string> };

function isFileRefusal(error: unknown): error is FileRefusal {
  const status = (error as { status?: unknown } | null)?.status;
  return status === 412 || status === 416;
}

/** In words for the client, or undefined when it is not the client's fault. */
export function clientFault(error: unknown): string | undefined {
  if (error instanceof InvalidBody) return error.message;
  if (error instanceof RequestValidationError) return firstFault(error);
  // From the body reader: http-errors, with a status.
  const { status, type } = (error ?? {}) as { status?: unknown; type?: unknown };
  if (typeof status !== 'number' || status < 400 || status >= 500) return undefined;
  if (type === 'encoding.unsupported') return 'the body has a Content-Encoding; it is taken as it is only';
  return status === 413 ? 'the body is larger than 16 KiB' : 'the request cannot be read';
}
