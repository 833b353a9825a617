import assert from 'node:assert/strict';
import { devContract, errorBodySchema, gameContract } from '@roundhouse/contract';
import type * as z from 'zod';

type Received = { status: number; body: unknown; headers: Headers; text: string };
type Route = { path: string; responses: object };

const ROUTES = [...Object.values(gameContract), ...Object.values(devContract)].map((route: Route) => ({
  ...route,
  pattern: new RegExp(`^${route.path.replace(/:\w+/g, '[^/]+')}$`),
}));

/**
 * Checks that a response has an X-Request-Id, and exactly the body that the contract says for its
 * path and status. A path without a route may return a page, or an error. The assertions are plain,
 * because these are fast.
 */
export function expectContract(path: string, response: Received): void {
  const label = `${path} ${response.status} ${response.text.slice(0, 200)}`;
  assert.match(response.headers.get('x-request-id') ?? '', /^[\w.-]{1,64}$/, label);
  const route = ROUTES.find((candidate) => candidate.pattern.test(path));
  if (route === undefined && response.status < 400) return;

  assert.match(response.headers.get('content-type') ?? '', /^application\/json\b/, label);
  const schema = route ? (route.responses as Record<number, z.ZodType>)[response.status] : errorBodySchema;
  assert.ok(schema, `${label}: no such status in the contract`);
  assert.deepEqual(schema.parse(response.body), response.body, label);
}
