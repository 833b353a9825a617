import express, { type Express, type RequestHandler } from 'express';
import { operatorRouter } from '../operatorApi/operatorRouter.ts';
import { gameRouter } from '../play/gameRouter.ts';
import { crossOrigin } from './crossOrigin.ts';
import { docsRouter } from './docsPage.ts';
import { createErrorHandler } from './errorHandler.ts';
import { frontendRouter } from './frontendRouter.ts';
import { healthRouter } from './healthRouter.ts';
import type { HttpParts } from './httpParts.ts';
import { InvalidBody } from './invalidBody.ts';
import { neverSniffed } from './neverSniffed.ts';
import { nothingHere } from './nothingHere.ts';
import { writeJson } from './rawJson.ts';
import { requestLog } from './requestLog.ts';

/** Routes and pages for local work only; in production they do not exist. */
export type LocalRoutes = RequestHandler[];

export type AppOptions = {
  localOnly?: LocalRoutes;
  /** Stands in front of everything that reads a body. For local work only. */
  faults?: RequestHandler;
  /** Proxies whose X-Forwarded-For says who the client is; none when left out. */
  trustedProxies?: readonly string[];
};

/** HTTP/1.1 demands one; without it nobody on the way may know whose request it is. */
const requireHost: RequestHandler = ({ httpVersion, headers }, _res, next) => {
  if (httpVersion === '1.1' && headers.host === undefined) throw new InvalidBody('the request has no Host');
  next();
};

/** The Express application. Routes stand in the order of their heat, because Express asks them one after the other. */
export function createApp(parts: HttpParts, { localOnly = [], faults, trustedProxies = [] }: AppOptions = {}): Express {
  const app = express();
  app.disable('x-powered-by');
  app.set('trust proxy', [...trustedProxies]);
  // No answer of the API is ever asked for again by its tag, and hashing each one costs.
  app.disable('etag');
  app.response.json = function json(body) {
    this.locals.error = body?.error;
    // Not by type(), which looks the words up anew at each answer.
    this.setHeader('Content-Type', 'application/json; charset=utf-8');
    return this.send(writeJson(body));
  };

  app.use(requestLog(parts));
  app.use(neverSniffed);
  app.use(crossOrigin);
  app.use(requireHost);
  if (faults) app.use(faults);
  app.use(gameRouter(parts));
  app.use(operatorRouter(parts));
  app.use(healthRouter(parts));
  app.use(docsRouter());
  for (const handler of localOnly) app.use(handler);
  app.use(frontendRouter(parts.catalogue));
  app.use(nothingHere);
  app.use(createErrorHandler(parts));
  return app;
}
