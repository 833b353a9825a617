import type { IncomingMessage } from 'node:http';
import { OPERATOR_HEADER, OPERATOR_ROUTES, type OperatorRouteName } from '@roundhouse/contract';
import { cellsOfOperator, FLEET_HEADER } from '@roundhouse/fleet';
import { addHealth, Overload, requestLog } from '@roundhouse/service';
import express, { type Express, type RequestHandler } from 'express';
import type { Logger } from 'pino';
import { commonHeaders, requireHost } from '../base/http/commonHeaders.ts';
import { noStore } from '../base/http/endpoints.ts';
import { createErrorHandler, createErrorLog } from '../base/http/errors.ts';
import { isLargeBody, readLargeBodies } from '../base/http/largeBodies.ts';
import { InvalidRequest, readBytes, readUpTo } from '../base/http/readBody.ts';
import { notFound } from '../base/http/responses.ts';
import { cellsOf } from './find.ts';
import type { RouterFleet } from './routerFleet.ts';
import type { RouterMetrics } from './routerMetrics.ts';
import { DIALECTS, GAME_TABLE, type OneCell, OPERATOR_TABLE } from './routes.ts';
import { respondFromAll, respondFromOne, respondToUnplaced, type Serving, sendRefusal, servingOf } from './serve.ts';

export type RouterAppDeps = {
  routerFleet: RouterFleet;
  log: Logger;
  metrics: RouterMetrics;
  isDraining(): boolean;
  connections: { isFull(): boolean; turnsAway(req: IncomingMessage): boolean };
  /** Time limit for a cell's response in milliseconds; see `SLOW_MS`. */
  cellTimeoutMs: number;
  trustedProxies: readonly string[];
};

/** Time limit for a route that gives 10,000 grants or waits for a wallet, in milliseconds. */
const SLOW_MS = 65_000;
const MAX_DIALECT_BYTES = 64 * 1024;
/** Large bodies take 64 MiB of memory at most. */
const MAX_LARGE_AT_ONCE = 16;

/** Returns the Express application of the launch router. It has no state but its fleet. */
export function createRouterApp(deps: RouterAppDeps): Express {
  const { routerFleet, log, metrics, isDraining, connections, trustedProxies } = deps;
  const logError = createErrorLog(log);
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('trust proxy', [...trustedProxies]);
  app.set('case sensitive routing', true);
  app.set('strict routing', true);

  const monitoring = monitoringRouter();
  const whenFull: RequestHandler = (req, res, next) => {
    if (!connections.turnsAway(req)) return next();
    monitoring(req, res, () => next(new Overload('connections', 'too many are open')));
  };
  const nameFleet: RequestHandler = (_req, res, next) => {
    const routed = routerFleet.current();
    res.locals.routed = routed;
    res.setHeader(FLEET_HEADER, routed.fleet.version);
    next();
  };
  app.use(requestLog({ log, observe: metrics.observeRequest }), nameFleet, commonHeaders, requireHost, whenFull);
  app.use(monitoring);
  addOperatorRoutes(app, deps);
  addDialects(app, deps);
  for (const { method, path, ...route } of GAME_TABLE) {
    app[method === 'GET' ? 'get' : 'post'](path, noStore, readBytes, serveOne(deps, path, route));
    app.all(path, noSuchMethod('the method must be POST'));
  }
  app.use(notFound);
  app.use(
    createErrorHandler({
      logError,
      observeOverload: () => {},
      isDatabaseBusy: () => false,
      refuseFirst: async (_req, response) => response,
    }),
  );
  return app;

  function monitoringRouter() {
    const router = express.Router();
    addHealth(router, async () => {
      if (isDraining()) return 'draining';
      // Cells that are away are no reason: the router responds, and names them.
      return connections.isFull() ? 'too many connections are open' : undefined;
    });
    router.get('/metrics', async (_req, res) => {
      const { contentType, text } = await metrics.report();
      res.setHeader('Content-Type', contentType);
      res.send(text);
    });
    return router;
  }
}

function addOperatorRoutes(app: Express, deps: RouterAppDeps): void {
  const readLarge = readLargeBodies({ who: 'router', atOnce: MAX_LARGE_AT_ONCE });
  const largeBodies: RequestHandler = (req, res, next) => (isLargeBody(req) ? readLarge : readBytes)(req, res, next);
  for (const [name, { method, path }] of Object.entries(OPERATOR_ROUTES)) {
    const route = OPERATOR_TABLE[name as OperatorRouteName];
    const read = 'isLarge' in route && route.isLarge ? largeBodies : readBytes;
    const serve = 'one' in route ? serveOne(deps, path, route) : serveAll(deps, path, route);
    const verb = method.toLowerCase() as 'get' | 'post' | 'delete';
    app[verb](path, noStore, hasOperator, read, serve);
  }
  for (const { path } of Object.values(OPERATOR_ROUTES)) app.all(path, noSuchMethod('this path has no such method'));
}

/** Refuses as any cell would: without an operator there is no cell to choose. */
const hasOperator: RequestHandler = (req, res, next) => {
  if (req.get(OPERATOR_HEADER) === undefined) sendRefusal(res, 401, 'the signature does not hold: missing');
  else next();
};

function addDialects(app: Express, deps: RouterAppDeps): void {
  const { path, ...route } = DIALECTS;
  const hasCells: RequestHandler = (req, res, next) => {
    const { fleet } = res.locals.routed;
    if (cellsOfOperator(fleet, String(req.params.operator)).length === 0) return notFound(req, res, next);
    next();
  };
  app.all(path, noStore, hasCells, readUpTo(MAX_DIALECT_BYTES), serveOne(deps, path, route));
}

function serveOne(deps: RouterAppDeps, path: string, route: OneCell): RequestHandler {
  return serveAs(
    path,
    (serving) => {
      if (cellsOf(serving.named).length === 0) return respondToUnplaced(serving);
      const found = route.one(serving.named);
      return found.kind === 'refused' ? sendRefusal(serving.res, 400, found.message) : respondFromOne(serving, found);
    },
    { deps, isSlow: route.isSlow ?? false },
  );
}

function serveAll(
  deps: RouterAppDeps,
  path: string,
  route: Exclude<(typeof OPERATOR_TABLE)[OperatorRouteName], OneCell>,
): RequestHandler {
  const serve = (serving: Serving) =>
    cellsOf(serving.named).length === 0 ? respondToUnplaced(serving) : respondFromAll(serving, route);
  return serveAs(path, serve, { deps, isSlow: route.isSlow ?? false });
}

type Served = { deps: RouterAppDeps; isSlow: boolean };

function serveAs(
  path: string,
  serve: (serving: Serving) => Promise<void> | void,
  { deps, isSlow }: Served,
): RequestHandler {
  const isOfFleet = /^\/(operator|dialects)\//.test(path);
  return async (req, res) => {
    res.locals.endpoint = path;
    // Express gives a HEAD to the handler of a GET: its signature is for another method.
    if (req.method === 'HEAD') throw new InvalidRequest('this path has no such method');
    const timeoutMs = isSlow ? Math.max(SLOW_MS, deps.cellTimeoutMs) : deps.cellTimeoutMs;
    await serve(servingOf(req, res, { isOfFleet, timeoutMs, observeHops: deps.metrics.observeHops }));
  };
}

function noSuchMethod(message: string): RequestHandler {
  return (_req, _res, next) => next(new InvalidRequest(message));
}
