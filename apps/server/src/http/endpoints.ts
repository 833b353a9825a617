import type { IncomingHttpHeaders } from 'node:http';
import {
  type AppRoute,
  type AppRouter,
  type ServerInferRequest,
  type ServerInferResponses,
  validateIfSchema,
  validateMultiSchemaObject,
} from '@ts-rest/core';
import { type Request, type RequestHandler, type Response, Router } from 'express';
import { InvalidRequest, readBody } from './readBody.ts';
import { type JsonResponse, sendJson } from './responses.ts';

type Handler<Route extends AppRoute> = (
  request: ServerInferRequest<Route, IncomingHttpHeaders> & { req: Request; res: Response },
) => Promise<ServerInferResponses<Route> | JsonResponse>;

/** One handler for each route of a contract. */
export type Handlers<Contract extends AppRouter> = {
  [Name in keyof Contract]: Contract[Name] extends AppRoute ? Handler<Contract[Name]> : never;
};

type AnyHandler = (request: object) => Promise<{ status: number; body: unknown } | JsonResponse>;
type Issue = { path?: ReadonlyArray<unknown>; message: string };

/** Validates the requests of a contract's routes and sends what their handlers return. */
export function addEndpoints<Contract extends AppRouter>(
  router: Router,
  contract: Contract,
  handlers: Handlers<Contract>,
): void {
  for (const [name, route] of Object.entries(contract as Record<string, AppRoute>)) {
    const handler = handlers[name] as unknown as AnyHandler;
    const method = route.method.toLowerCase() as 'get' | 'post' | 'put' | 'patch' | 'delete';
    router[method](route.path, async (req, res) => {
      res.locals.endpoint = route.path;
      sendJson(res, await handler({ ...validated(route, req), req, res }));
    });
  }
}

/**
 * The endpoints of a contract. A request to one of `bodyPaths` that is no POST with one JSON object
 * is refused first.
 */
export function bodyRouter<Contract extends AppRouter>(
  bodyPaths: readonly string[],
  contract: Contract,
  handlers: Handlers<Contract>,
): Router {
  const router = Router({ caseSensitive: true, strict: true });
  for (const path of bodyPaths) router.post(path, noStore, readBody);
  addEndpoints(router, contract, handlers);
  for (const path of bodyPaths) {
    router.all(path, (_req, _res, next) => next(new InvalidRequest('the method must be POST')));
  }
  return router;
}

/** @throws InvalidRequest */
function validated(route: AppRoute, req: Request): object {
  const body = validateIfSchema(req.body, 'body' in route ? route.body : null);
  const headers = validateMultiSchemaObject(req.headers, route.headers as never);
  const params = validateIfSchema(req.params, route.pathParams, { passThroughExtraKeys: true });
  const query = validateIfSchema(req.query, route.query);
  const { error } = [body, headers, params, query].find((part) => part.error !== undefined) ?? {};
  if (error !== undefined) throw new InvalidRequest(describe(error.issues[0] as Issue | undefined));
  return { body: body.value, headers: headers.value, params: params.value, query: query.value };
}

/** Field and rule, never the value. */
function describe(issue: Issue | undefined): string {
  if (issue === undefined) return 'the request is not valid';
  const where = issue.path?.map(String).join('.');
  return where ? `${where}: ${issue.message}` : issue.message;
}

/** Balances and rounds are of the moment: no cache on the way may keep them. */
export const noStore: RequestHandler = (_req, res, next) => {
  res.setHeader('Cache-Control', 'no-store');
  next();
};
