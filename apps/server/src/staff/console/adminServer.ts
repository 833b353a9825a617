import { setMaxListeners } from 'node:events';
import { createUnreadableResponse, expressMessages, isConnectionLost, listen, requestLog } from '@roundhouse/service';
import express, { type ErrorRequestHandler, type Express, type RequestHandler } from 'express';
import type { Logger } from 'pino';
import { isLoopback, loopbackOrigins } from '../../base/address.ts';
import { createErrorLog, invalidRequestMessage } from '../../base/http/errors.ts';
import { InvalidRequest } from '../../base/http/readBody.ts';
import { type ErrorResponse, errorResponse, notFoundResponse, sendJson } from '../../base/http/responses.ts';
import type { Database } from '../../store/database/database.ts';
import type { Access } from '../access/caller.ts';
import type { AdminDeps } from './adminDeps.ts';
import { adminRouter } from './adminRouter.ts';
import { pageRouter } from './page.ts';
import { sameOrigin, toOwnName } from './sameOrigin.ts';

export type AdminServerOptions = Omit<AdminDeps, 'access' | 'consoleUrl' | 'closing'> & {
  host: string;
  /** 0 takes any free port. */
  port: number;
  /** The console takes the next free port when that one is in use. */
  orNextPort?: boolean | undefined;
  /** The option of AppOptions; none when left out. */
  trustedProxies?: readonly string[] | undefined;
  /** Browsers reach the console at this origin, when it is behind a proxy. */
  url: string | undefined;
  /** Makes what signs users in, for the address at which browsers reach the console. */
  createAccess(origin: string): Access;
};

export type AdminServer = { url: string; port: number; close(): Promise<void> };

/** Serves the page of the console and its requests, on a port that no player reaches. */
export async function startAdminServer(options: AdminServerOptions): Promise<AdminServer> {
  const { log, host, port, orNextPort, trustedProxies = [], createAccess } = options;
  // It is made when the port is known: with port 0 the system chooses it.
  let served: Express | undefined;
  const app = express();
  app.disable('x-powered-by').disable('etag');
  app.use((req, res, next) => (served === undefined ? next() : served(req, res, next)));
  const listener = await listen({
    app,
    messages: expressMessages(app),
    unreadable: createUnreadableResponse({ log, headers: [] }),
    log,
    host,
    port,
    orNextPort,
    setBy: { host: '--console-host', port: '--console-port' },
  });
  const local = `http://${isLoopback(host) ? 'localhost' : host}:${listener.port}`;
  const url = options.url ?? local;
  const consoleUrl = new URL(url).origin;
  const origins = [...new Set([consoleUrl, local, ...loopbackOrigins(`http://localhost:${listener.port}`)])];
  const closing = new AbortController();
  // Each live overview listens to it.
  setMaxListeners(0, closing.signal);
  const access = createAccess(consoleUrl);
  served = createAdminApp({ ...options, consoleUrl, access, closing: closing.signal }, { origins, trustedProxies });
  const close = () => {
    closing.abort();
    return listener.close();
  };
  return { url, port: listener.port, close };
}

function createAdminApp(
  deps: AdminDeps,
  { origins, trustedProxies }: { origins: readonly string[]; trustedProxies: readonly string[] },
): Express {
  const { log, access, players } = deps;
  const app = express();
  app.disable('x-powered-by').disable('etag');
  // It is mounted nowhere, so it has no settings of the app before it.
  app.set('trust proxy', [...trustedProxies]);
  app.use(requestLog({ log }), securityHeaders, sameOrigin(origins), toOwnName(deps.consoleUrl));
  app.use('/api/auth', access.router);
  app.use(adminRouter(deps), pageRouter({ playersOrigin: new URL(players.publicUrl).origin }));
  app.use((_req, res) => sendJson(res, notFoundResponse('there is nothing at this path')));
  app.use(handleErrors(log, deps.db));
  return app;
}

/** The page sets its own content policy. Nothing else of this server is a document. */
const securityHeaders: RequestHandler = (_req, res, next) => {
  res.setHeader('X-Content-Type-Options', 'nosniff');
  res.setHeader('X-Frame-Options', 'DENY');
  res.setHeader('Referrer-Policy', 'no-referrer');
  res.setHeader('Cross-Origin-Opener-Policy', 'same-origin');
  res.setHeader('Cross-Origin-Resource-Policy', 'same-origin');
  res.setHeader('Content-Security-Policy', "default-src 'none'; frame-ancestors 'none'");
  next();
};

/** An invalid request is 400, a lost database 503. The log gets the stack of the rest. */
function handleErrors(log: Logger, db: Database): ErrorRequestHandler {
  const logError = createErrorLog(log);
  return (error: unknown, _req, res, next) => {
    if (res.headersSent) return next(error);
    const message = error instanceof URIError ? 'the path cannot be read' : invalidRequestMessage(error);
    if (message !== undefined) return sendJson(res, withFields(errorResponse('ERR_VAL', message), error));
    logError({ err: error, requestId: res.locals.requestId }, 'a request of the console failed');
    const isAway = isConnectionLost(error) || !db.writer.isKnown;
    const response = isAway
      ? { ...errorResponse('ERR_GEN', 'the database does not respond'), status: 503, isBrief: true }
      : errorResponse('ERR_GEN', 'the server could not do this');
    sendJson(res, response);
  };
}

/** A form shows each issue at its field. */
function withFields(response: ErrorResponse, error: unknown) {
  const fields = error instanceof InvalidRequest ? error.fields : {};
  return Object.keys(fields).length === 0 ? response : { ...response, body: { ...response.body, fields } };
}
