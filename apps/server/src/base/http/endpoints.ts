import type { IncomingHttpHeaders } from 'node:http';
import type { AppRoute, AppRouter, ServerInferRequest, ServerInferResponses } from '@ts-rest/core';
import { type Request, type RequestHandler, type Response, Router } from 'express';
import { z } from 'zod';
import { InvalidRequest, readBody } from './readBody.ts';
import { type FileResponse, type JsonResponse, sendFile, sendJson } from './responses.ts';

type Handler<Route extends AppRoute> = (
  request: ServerInferRequest<Route, IncomingHttpHeaders> & { req: Request; res: Response },
) => Promise<ServerInferResponses<Route> | JsonResponse | FileResponse>;

/** Each route of a contract has one handler. */
export type Handlers<Contract extends AppRouter> = {
  [Name in keyof Contract]: Contract[Name] extends AppRoute ? Handler<Contract[Name]> : never;
};

export type AnyRequest = { req: Request; res: Response; body: { sessionID: string } };
export type AnyHandler = (
  request: AnyRequest,
) => Promise<{ status: number; body: unknown } | JsonResponse | FileResponse>;

/** Puts something around the handler of this name. It is called once, when the router is made. */
export type Around = (name: string, handler: AnyHandler) => AnyHandler;

/**
 * Validates the requests of a contract's routes and sends what their handlers return. For
 * `bodyPaths` it reads the JSON object of the body first.
 */
export function addEndpoints<Contract extends AppRouter>(
  router: Router,
  contract: Contract,
  handlers: Handlers<Contract>,
  bodyPaths: readonly string[] = [],
  around: Around = (_name, handler) => handler,
): void {
  for (const [name, route] of Object.entries(contract as Record<string, AppRoute>)) {
    const handler = around(name, handlers[name] as unknown as AnyHandler);
    const method = route.method.toLowerCase() as 'get' | 'post' | 'put' | 'patch' | 'delete';
    const schema = requestSchemaOf(route);
    // One route has both handlers: Express compares the path with each of its routes.
    const first = bodyPaths.includes(route.path) ? [noStore, readBody] : [];
    router[method](route.path, ...first, async (req, res) => {
      res.locals.endpoint = route.path;
      // The spread comes last, here and on the rest of a play's path: with members after a spread
      // V8 makes a separate class for each object, and looks up each read of it anew.
      const response = await handler({ req, res, ...(validated(schema, req) as Pick<AnyRequest, 'body'>) });
      if ('file' in response) await sendFile(res, response);
      else sendJson(res, response);
    });
  }
}

/**
 * Returns the endpoints of a contract. A request to one of `bodyPaths` that is not a POST with one
 * JSON object is refused first.
 */
export function bodyRouter<Contract extends AppRouter>(
  bodyPaths: readonly string[],
  contract: Contract,
  handlers: Handlers<Contract>,
  around?: Around,
): Router {
  const router = Router({ caseSensitive: true, strict: true });
  addEndpoints(router, contract, handlers, bodyPaths, around);
  for (const path of bodyPaths) {
    router.all(path, (_req, _res, next) => next(new InvalidRequest('the method must be POST')));
  }
  return router;
}

/**
 * Returns the parts of a request that a route describes, for a handler that sends its response
 * itself.
 * @throws InvalidRequest with field and rule, never the value.
 */
export function requestReader<Route extends AppRoute>(route: Route) {
  const schema = requestSchemaOf(route);
  return (req: Request) => validated(schema, req) as ServerInferRequest<Route, IncomingHttpHeaders>;
}

/** Covers the parts and headers that the route describes. A handler gets no others. */
function requestSchemaOf(route: AppRoute) {
  const parts = { body: 'body' in route ? route.body : undefined, params: route.pathParams, query: route.query };
  const described = Object.entries(parts).filter(([, schema]) => schema instanceof z.ZodType);
  const headers = route.headers && { headers: z.object(route.headers as z.ZodRawShape) };
  return z.object({ ...(Object.fromEntries(described) as z.ZodRawShape), ...headers });
}

/** @throws InvalidRequest with field and rule, never the value. */
function validated(schema: z.ZodObject, req: Request): object {
  const { data, error } = schema.safeParse(req);
  if (data !== undefined) return data;
  const issues = error.issues.map(({ path, message }) => ({ field: path.slice(1).map(String).join('.'), message }));
  const { field, message } = issues[0] ?? { field: '', message: 'the request is not valid' };
  throw new InvalidRequest(field === '' ? message : `${field}: ${message}`, fieldsOf(issues));
}

type FieldIssue = { field: string; message: string };

/** Returns the first issue of each field. */
export function fieldsOf(issues: readonly FieldIssue[]): Record<string, string> {
  const named = issues.filter(({ field }) => field !== '').reverse();
  return Object.fromEntries(named.map(({ field, message }) => [field, message]));
}

/** Balances and rounds change at any moment: no cache on the way may keep them. */
export const noStore: RequestHandler = (_req, res, next) => {
  res.setHeader('Cache-Control', 'no-store');
  next();
};
