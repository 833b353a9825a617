import { adminContract, adminStreamContract } from '@roundhouse/contract/admin';
import { ADMIN_ROUTES, type AdminRouteName } from '@roundhouse/contract/admin-routes';
import { type RequestHandler, Router } from 'express';
import { addEndpoints, type Handlers, noStore } from '../../base/http/endpoints.ts';
import { InvalidRequest, parseBody, readUpTo } from '../../base/http/readBody.ts';
import { notFound } from '../../base/http/responses.ts';
import { accountHandlers } from './accountHandlers.ts';
import type { AdminDeps } from './adminDeps.ts';
import { approvalHandlers } from './approvals/approvalHandlers.ts';
import { withApprovals } from './approvals/withApprovals.ts';
import { isReport, withPlaces, withTurns } from './bounded.ts';
import { downloadHandler } from './downloads/downloadHandler.ts';
import { eventHandlers, eventStreamHandlers } from './eventHandlers.ts';
import { freeRoundHandlers } from './freeRoundHandlers.ts';
import { gameHandlers } from './gameHandlers.ts';
import { asCaller, guard } from './guard.ts';
import { maintenanceHandlers } from './maintenanceHandlers.ts';
import { operatorHandlers } from './operatorHandlers.ts';
import { overviewHandlers } from './overviewHandlers.ts';
import { playerHandlers } from './playerHandlers.ts';
import { reconcileHandlers } from './reconcileHandlers.ts';
import { reportHandlers } from './reportHandlers.ts';
import { roundHandlers } from './roundHandlers.ts';
import { searchHandlers } from './searchHandlers.ts';
import { secretHandlers } from './secretHandlers.ts';
import { addStreams, type StreamHandlers } from './stream.ts';
import { createTurns, SESSION_TURNS } from './turns.ts';
import { userHandlers } from './userHandlers.ts';
import { walletCheckHandler } from './walletCheckHandler.ts';
import { walletTransactionHandlers } from './walletTransactionHandlers.ts';

/** A list of players who get free rounds is the longest body. */
const MAX_BODY_BYTES = 1024 * 1024;

/** Serves the requests of the console: each is guarded before its body is read. */
export function adminRouter(deps: AdminDeps): Router {
  const router = Router({ caseSensitive: true, strict: true });
  const guardDeps = { ...deps, lookUps: createTurns(SESSION_TURNS) };
  for (const name of Object.keys(ADMIN_ROUTES) as AdminRouteName[]) {
    const { method, path } = ADMIN_ROUTES[name];
    if (method === 'GET') router.get(path, noStore, guard(guardDeps, name));
    else router.post(path, noStore, guard(guardDeps, name), readUpTo(MAX_BODY_BYTES), readJson, asCaller);
  }
  const overview = overviewHandlers(deps);
  const ofReports = { ...deps, db: deps.reportsDb };
  const [quick, long] = [handlersOf(deps, overview), handlersOf(ofReports, overview)];
  const handlers = Object.fromEntries(
    Object.entries(quick).map(([name, handler]) => [name, isReport(name) ? long[name as keyof typeof long] : handler]),
  ) as Handlers<typeof adminContract>;
  addEndpoints(router, adminContract, withTurns(deps.twoPerson ? withApprovals(deps, handlers) : handlers));
  const streams: StreamHandlers<typeof adminStreamContract> = {
    ...overview.streams,
    ...reconcileHandlers(ofReports),
    ...walletCheckHandler(ofReports),
    ...eventStreamHandlers(ofReports),
    ...downloadHandler(ofReports, long),
  };
  addStreams(router, adminStreamContract, withPlaces(streams), deps);
  router.use('/admin', notFound);
  return router;
}

function handlersOf(deps: AdminDeps, overview: ReturnType<typeof overviewHandlers>): Handlers<typeof adminContract> {
  const handlers: Handlers<typeof adminContract> = {
    ...accountHandlers(deps),
    ...approvalHandlers(deps),
    ...overview.handlers,
    ...searchHandlers(deps),
    ...roundHandlers(deps),
    ...playerHandlers(deps),
    ...walletTransactionHandlers(deps),
    ...gameHandlers(deps),
    ...maintenanceHandlers(deps),
    ...operatorHandlers(deps),
    ...secretHandlers(deps),
    ...reportHandlers(deps),
    ...eventHandlers(deps),
    ...freeRoundHandlers(deps),
    ...userHandlers(deps),
  };
  return handlers;
}

const readJson: RequestHandler = (req, _res, next) => {
  // A form of another page can send any type but this one without being asked.
  if (!req.is('application/json')) throw new InvalidRequest('the Content-Type must be application/json');
  req.body = parseBody(req);
  next();
};
