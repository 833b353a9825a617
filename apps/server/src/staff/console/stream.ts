import { once } from 'node:events';
import type { IncomingHttpHeaders } from 'node:http';
import type { StreamError, StreamProgress } from '@roundhouse/contract/admin';
import type { AppRoute, AppRouter, ServerInferRequest } from '@ts-rest/core';
import type { Request, Response, Router } from 'express';
import type { Logger } from 'pino';
import { requestReader } from '../../base/http/endpoints.ts';
import { sendJson } from '../../base/http/responses.ts';

/** The last line of a stream is a result, or an error. */
export type StreamLine = StreamProgress | StreamError | { kind: 'line' | 'result' };

type RefusalResponse = { status: 400 | 403 | 404 | 409 | 429 | 500; body: unknown };

/**
 * Returns the lines, or a refusal before the first one; nothing when it has sent the response
 * itself.
 */
type StreamHandler<Route extends AppRoute> = (
  request: ServerInferRequest<Route, IncomingHttpHeaders> & { req: Request; res: Response },
) => Promise<AsyncIterable<StreamLine> | RefusalResponse | undefined>;

export type StreamHandlers<Contract extends AppRouter> = {
  [Name in keyof Contract]: Contract[Name] extends AppRoute ? StreamHandler<Contract[Name]> : never;
};

/** Serves the routes whose responses take long, and are sent while they are made. */
export function addStreams<Contract extends AppRouter>(
  router: Router,
  contract: Contract,
  handlers: StreamHandlers<Contract>,
  { log }: { log: Logger },
): void {
  for (const [name, route] of Object.entries(contract as Record<string, AppRoute>)) {
    const handler = handlers[name] as unknown as StreamHandler<AppRoute>;
    const read = requestReader(route);
    const method = route.method.toLowerCase() as 'get' | 'post';
    router[method](route.path, async (req, res) => {
      const lines = await handler({ req, res, ...read(req) });
      if (lines === undefined) return;
      if ('status' in lines) return sendJson(res, lines);
      await sendLines(res, lines, { log });
    });
  }
}

/**
 * Sends lines of JSON as they are made. When the client has gone the generator ends at its next
 * line. An error within becomes the last line, because the status is sent already.
 */
async function sendLines(res: Response, lines: AsyncIterable<StreamLine>, { log }: { log: Logger }): Promise<void> {
  res.status(200).setHeader('Content-Type', 'application/x-ndjson; charset=utf-8');
  // A proxy must not gather the lines.
  res.setHeader('X-Accel-Buffering', 'no');
  res.flushHeaders();
  try {
    for await (const line of lines) {
      if (res.closed) return;
      if (!res.write(`${JSON.stringify(line)}\n`)) await Promise.race([once(res, 'drain'), once(res, 'close')]);
    }
  } catch (err) {
    log.error({ err, requestId: res.locals.requestId }, 'a stream of the console failed');
    const failure: StreamError = { kind: 'error', error: 'ERR_GEN', message: 'the server could not finish this' };
    if (!res.closed) res.write(`${JSON.stringify(failure)}\n`);
  }
  res.end();
}
